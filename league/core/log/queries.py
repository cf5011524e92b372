"""The log as it is exported, and how far its readers have come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import F, OuterRef, QuerySet, Subquery

from engine.record.canonical import canonical_json
from engine.record.club_log import entry_json
from league.core.log.actions import Action
from league.core.log.models import LogEntry, LogHead, Reader, SetAside

PORTION: Final = 500
"""Entries that are in memory at once."""
MOST_LAGS: Final = 50


@dataclass(frozen=True, slots=True)
class Lag:
    """A reader of a club's log that hasn't come to its end: how many entries lie before it, and when it read last."""

    club: str
    reader: str
    entries: int
    read_at: datetime | None


def log_portions(club_id: int) -> Iterator[bytes]:
    """A club's log as JSON Lines (`engine.record.club_log`), many at a time, up to its end when the first is read."""
    head = LogHead.objects.select_related("club").get(club=club_id)
    yield canonical_json({"club": head.club.public_id}) + b"\n"
    for first in range(1, head.position + 1, PORTION):
        yield b"".join(_entry_lines(club_id, first, min(first + PORTION - 1, head.position)))


def log_end(club_id: int) -> int:
    """The position at which a club's log ends."""
    return LogHead.objects.values_list("position", flat=True).get(club=club_id)


def last_entry(club_id: int, *, but: Action) -> QuerySet[LogEntry, int]:
    """Read, as a subquery, the position of the last entry of a club's log that tells of another action."""
    entries = LogEntry.objects.filter(club=club_id).exclude(action=but).order_by("-position")
    return entries.values_list("position", flat=True)[:1]


def all_set_aside() -> list[SetAside]:
    """Read what readers have set aside, the oldest first."""
    return list(SetAside.objects.select_related("club").order_by("due_at", "pk"))


def lagging_readers() -> list[Lag]:
    """Readers with entries of their club's log before them, those with the most first."""
    end = Subquery(LogHead.objects.filter(club=OuterRef("club")).values("position"))
    lagging = Reader.objects.annotate(entries=end - F("position")).filter(entries__gt=0)
    rows = lagging.order_by("-entries", "club__name", "name")[:MOST_LAGS]
    return [Lag(*row) for row in rows.values_list("club__name", "name", "entries", "read_at")]


def _entry_lines(club_id: int, first: int, last: int) -> Iterator[bytes]:
    entries = LogEntry.objects.filter(club=club_id, position__range=(first, last)).order_by("position")
    for row in entries.annotate(account=F("actor__public_id")):
        names = {"names": row.names} if row.names else {}
        yield canonical_json(entry_of(row, row.account) | {"digest": bytes(row.digest).hex()} | names) + b"\n"


def entry_of(row: LogEntry, account: str | None) -> dict[str, Any]:
    """A row as it is sealed and exported; `account` is the public id of its actor."""
    at: datetime = row.at
    return entry_json(
        position=row.position,
        action=row.action,
        subject=row.subject,
        payload=json.loads(row.payload),
        actor=account,
        request=row.request_id,
        reason=row.reason,
        at=at,
    )
