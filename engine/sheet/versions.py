"""The two versions of sheets: one written at a real table, and one of an online table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from engine.record.record import Record
from engine.sheet import online_kind, sheet
from engine.sheet.dealt import DealtSheet
from engine.sheet.entry import SheetEntry

WRITTEN: Final = 1
ONLINE: Final = 2
SHEETS: Final = {WRITTEN: sheet, ONLINE: online_kind}
"""The module of each version."""
AnySheet: TypeAlias = sheet.OpenSheet | DealtSheet


def begin(version: int, record: Record) -> AnySheet:
    """Return an empty sheet for a record that has only its header.

    Raise KeyError for an unknown version.
    """
    new_sheet: AnySheet = SHEETS[version].begin(record)
    return new_sheet


def resume(version: int, record: Record, state: dict[str, Any]) -> AnySheet:
    """Return the sheet that its `state()` described. Raise KeyError for an unknown version."""
    resumed: AnySheet = SHEETS[version].resume(record, state)
    return resumed


def fold(version: int, record: Record, entries: Iterable[SheetEntry]) -> AnySheet:
    """Return the sheet after these accepted entries.

    Raise ValueError for an entry with a fault, KeyError for an unknown version.
    """
    folded: AnySheet = SHEETS[version].fold(record, entries)
    return folded


def rounds_of(any_sheet: AnySheet) -> sheet.OpenSheet:
    """Return the part of a sheet, of either version, that holds its closed rounds and notes."""
    return any_sheet.sheet if isinstance(any_sheet, DealtSheet) else any_sheet
