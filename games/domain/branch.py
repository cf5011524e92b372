"""Entries that were written for a sheet and aren't on it yet, or never will be."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.sheet.entry import SheetEntry, stored_entry
from games.models import SheetBranch

FIRST: Final = datetime.min.replace(tzinfo=UTC) + timedelta(days=1)
LAST: Final = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)
"""Between these two, a time has a date in every zone."""
BAD_TIME: Final = Illegal(
    "bad_time",
    say(
        "a time needs a date, a clock time and an offset from UTC, such as "
        "2026-11-25T20:14:03+01:00"
    ),
)


class WrittenEntry(NamedTuple):
    """An entry with the key that its writer gave it, and the time by the writer's clock, if
    known."""

    key: UUID
    entry: SheetEntry
    at: datetime | None

    def as_json(self) -> dict[str, Any]:
        """Return the entry as branches keep it."""
        return {
            "key": str(self.key),
            "act": self.entry.act,
            "value": self.entry.value,
            "at": None if self.at is None else moment_text(self.at),
        }


def branch_entries(branch: SheetBranch) -> list[WrittenEntry]:
    """Return the entries of a branch, in their order."""
    entries = []
    for entry in json.loads(branch.entries):
        at = datetime.fromisoformat(entry["at"]) if entry["at"] else None
        stored = stored_entry(entry["act"], entry["value"])
        entries.append(WrittenEntry(UUID(entry["key"]), stored, at))
    return entries


def read_moment(text: str) -> datetime:
    """Return the time by a writer's clock in UTC, however wrong it is.

    Raise `Refused` with `bad_time` for a text that is no time, lacks its offset from UTC, or has no
    date in some zone.
    """
    try:
        moment = datetime.fromisoformat(text.upper())
        utc = moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Refused(BAD_TIME) from error
    if moment.tzinfo is None or not FIRST <= utc <= LAST:
        raise Refused(BAD_TIME)
    return utc


def moment_text(at: datetime) -> str:
    """Return a time as it is sealed, whatever zone it came in."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")
