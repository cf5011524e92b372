"""The way in which the service is doing: what readers have set aside, what still waits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from league.log.models import SetAside


@dataclass(frozen=True, slots=True)
class Lag:
    """A reader of a club's log that hasn't come to its end: how many entries lie before it, and when it read last."""

    club: str
    reader: str
    entries: int
    read_at: datetime | None


def all_set_aside() -> list[SetAside]:
    """Read what readers have set aside, the oldest first."""
    return list(SetAside.objects.select_related("club").order_by("due_at", "pk"))


def lagging_readers() -> list[Lag]:
    """Readers with entries of their club's log before them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT club.name, reader.name, head.position - reader.position, reader.read_at"
            " FROM league_reader reader JOIN league_loghead head USING (club_id)"
            " JOIN league_club club ON club.id = reader.club_id"
            " WHERE head.position > reader.position ORDER BY 3 DESC, club.name, reader.name LIMIT 50"
        )
        return [Lag(*row) for row in cursor.fetchall()]
