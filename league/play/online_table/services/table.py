"""An online table and its seats: phrases, log entries, versions, and abandoned tables."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from games.services.open_game import CHANNEL
from league.core.log.services import Journal
from league.play.online_table.actions import PlayAction
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.queries import tables_left

PHRASE_PAUSE: Final = timedelta(seconds=3)
"""The pause between two phrases of a seat."""
ABANDONED_AFTER: Final = timedelta(hours=2)
"""A live table at which nothing happens for this long is abandoned."""
LOBBY_ABANDONED_AFTER: Final = timedelta(days=14)
"""How long a turn-by-turn table waits for players."""


@transaction.atomic
def phrase_say(*, table: OnlineTable, seat: OnlineSeat, phrase: str) -> bool:
    """Let a seat say a phrase. Return False, and change nothing, if it said one a moment ago."""
    now = timezone.now()
    seats = OnlineSeat.objects.filter(pk=seat.pk).exclude(phrase_at__gt=now - PHRASE_PAUSE)
    if not seats.update(phrase=phrase, phrase_at=now):
        return False
    table_changed(table)
    return True


def tables_end() -> int:
    """Abandon the tables that everybody has left; return how many. Their games stay open and don't
    count.
    """
    ended = 0
    for table in tables_left(timezone.now(), ABANDONED_AFTER, LOBBY_ABANDONED_AFTER):
        ended += OnlineTable.objects.filter(pk=table.pk, status=table.status).update(
            status=OnlineTable.Status.ABANDONED
        )
        table_notify(table)
    return ended


def opening_log(journal: Journal, table: OnlineTable, /, **where: object) -> None:
    """Log that a table was opened, with its game, its rules and the commitment to its dice.
    `where`: further members of the payload, such as the season in which the game counts.
    """
    payload = {"game": table.kind, "rules": table.rules, "commitment": table.commitment, **where}
    journal.add(PlayAction.TABLE_OPENED, table.public_id, payload)


def table_changed(table: OnlineTable) -> None:
    """Raise the version of a table and notify its open pages."""
    OnlineTable.objects.filter(pk=table.pk).update(version=F("version") + 1)
    table_notify(table)


def table_notify(table: OnlineTable) -> None:
    """Notify the open pages of a table."""
    with connection.cursor() as cursor:
        cursor.callproc("pg_notify", [CHANNEL, f"{table.public_id}:0"])
