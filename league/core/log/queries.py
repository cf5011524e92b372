"""The log as it is exported, and where it ends."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any, Final

from django.db.models import F, QuerySet

from engine.record.canonical import canonical_json
from engine.record.club_log import entry_json
from league.core.log.actions import Action
from league.core.log.models import LogEntry, LogHead
from league.core.log.receipt import receipt_text

CHUNK_ENTRIES: Final = 500
"""The entries of one chunk: no more are in memory at once."""


def log_chunks(club_id: int) -> Iterator[bytes]:
    """Yield a club's log in chunks of JSON Lines (`engine.record.club_log`), up to the entry that
    is the last when reading begins."""
    head = LogHead.objects.select_related("club").get(club=club_id)
    yield canonical_json({"club": head.club.public_id}) + b"\n"
    for first in range(1, head.position + 1, CHUNK_ENTRIES):
        yield b"".join(_entry_lines(club_id, first, min(first + CHUNK_ENTRIES - 1, head.position)))


def log_end(club_id: int) -> int:
    """Return the position of the last entry of a club's log."""
    return LogHead.objects.values_list("position", flat=True).get(club=club_id)


def last_entry(club_id: int, *, but: Action) -> QuerySet[LogEntry, int]:
    """Return a subquery: the position of a club's last entry with any other action than `but`."""
    entries = LogEntry.objects.filter(club=club_id).exclude(action=but).order_by("-position")
    return entries.values_list("position", flat=True)[:1]


def receipts_at(places: Collection[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """Return the receipts of entries by place (the club's row id and the position), in at most one
    query."""
    if not places:
        return {}
    entries = LogEntry.objects.filter(pk__in=list(places)).select_related("club")
    return {(entry.club_id, entry.position): receipt_text(entry) for entry in entries}


def receipts_about(club_id: int, subject: str, actions: Collection[Action]) -> list[str]:
    """Return the receipts of the entries about a subject (a public id) with one of these actions,
    the oldest first."""
    entries = LogEntry.objects.filter(club=club_id, subject=subject, action__in=actions)
    return [receipt_text(entry) for entry in entries.select_related("club").order_by("position")]


def _entry_lines(club_id: int, first: int, last: int) -> Iterator[bytes]:
    entries = LogEntry.objects.filter(club=club_id, position__range=(first, last))
    for row in entries.order_by("position").annotate(account=F("actor__public_id")):
        entry = entry_of(row, row.account)
        entry["digest"] = bytes(row.digest).hex()
        if row.names:
            entry["names"] = row.names
        yield canonical_json(entry) + b"\n"


def entry_of(row: LogEntry, account: str | None) -> dict[str, Any]:
    """Return an entry as it is sealed and exported. `account`: the public id of its actor."""
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
