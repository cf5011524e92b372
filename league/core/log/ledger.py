"""All that a club's log says its rows hold: the last statement of each cell, compared with what is stored."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from games.domain.difference import Difference
from league.core.log.models import LogEntry
from league.core.log.nouns import NOUNS, Noun, RowCells
from league.core.log.statements import ROWS, payload_fold
from league.core.log.texts import texts_back

FORGOTTEN: Final = re.compile(r"[0-9a-f]{64}")
"""A commitment, where the word beside the entry is forgotten."""
FIRST: Final = "first"
"""The key by which a statement of all rows of a club says whether it is the first entry of it, and takes the place of
all that was stated before."""

Ledger: TypeAlias = dict[str, dict[str, RowCells]]
"""The rows of each noun, by what names them."""


def ledger_of(club_id: int) -> Ledger:
    """Return all that the log of a club says."""
    ledger: Ledger = {}
    entries = LogEntry.objects.filter(club=club_id, payload__contains=f'"{ROWS}":').order_by("position")
    for payload, names in entries.values_list("payload", "names").iterator(2000):
        parts = texts_back(json.loads(payload), names)
        if parts.get(FIRST):
            ledger.clear()
        payload_fold(ledger, parts)
    return ledger


def ledger_differences(club_id: int) -> Iterator[Difference]:
    """Return every cell of a club's rows that isn't what the log says."""
    ledger = ledger_of(club_id)
    for noun in NOUNS.values():
        stored, logged = noun.of_club(club_id), ledger.get(noun.name, {})
        for name in sorted(stored.keys() | logged.keys()):
            if name in stored and name in logged:
                yield from cell_differences(noun, name, stored[name], logged[name])
            else:
                yield Difference(noun.name, name, "row", name in stored, name in logged)


def cell_differences(noun: Noun, name: str, stored: RowCells, logged: RowCells) -> Iterator[Difference]:
    """Return every cell of a row that isn't what the log says. One that no entry states holds what all rows held before
    entries stated the column."""
    for column in noun.columns:
        value = logged.get(column, noun.earlier.get(column, "what the log says, which is nothing"))
        if not _is_forgotten(noun, column, value) and stored[column] != value:
            yield Difference(noun.name, name, column, stored[column], value)


def _is_forgotten(noun: Noun, column: str, value: Any) -> bool:
    return column in noun.texts and isinstance(value, str) and FORGOTTEN.fullmatch(value) is not None
