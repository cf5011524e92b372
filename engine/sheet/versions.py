"""The versions of sheets: one that somebody writes at a real table, and one of an online table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from engine.record.record import Record
from engine.sheet import online, sheet
from engine.sheet.entry import SheetEntry

WRITTEN: Final = 1
ONLINE: Final = 2
AnySheet: TypeAlias = sheet.OpenSheet | online.OnlineSheet


def begin(version: int, record: Record) -> AnySheet:
    """Return a sheet without entries, of a record that has its header alone."""
    return online.begin(record) if version == ONLINE else sheet.begin(record)


def resume(version: int, record: Record, state: dict[str, Any]) -> AnySheet:
    """Return the sheet of which `state()` told."""
    return online.resume(record, state) if version == ONLINE else sheet.resume(record, state)


def fold(version: int, record: Record, entries: Iterable[SheetEntry]) -> AnySheet:
    """Return the sheet after entries that were all taken. ValueError for one that can't stand."""
    return online.fold(record, entries) if version == ONLINE else sheet.fold(record, entries)
