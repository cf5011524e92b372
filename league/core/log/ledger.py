"""The ledger: the rows of a club as its log records them, compared with the stored rows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from games.domain.difference import Difference
from league.core.log.models import LogEntry
from league.core.log.nouns import NOUNS, Doers, Noun, RowCells
from league.core.log.statements import ROWS, payload_fold
from league.core.log.texts import texts_back

FORGOTTEN: Final = re.compile(r"[0-9a-f]{64}")
"""A commitment in place of a text that has been forgotten."""
FIRST_OF_ALL_ROWS: Final = "first"
"""The key that only entries have by which an upgrade records all rows of a club: True in the first
of them, which replaces whatever was recorded before, False in the others."""

Ledger: TypeAlias = dict[str, dict[str, RowCells]]
"""The rows of each noun, by name."""


class Logged(NamedTuple):
    """A club's rows as its log records them, and the accounts of `Noun.doers`, by noun and row. An
    upgrade that records all rows doesn't know who acted, so those rows have no accounts."""

    rows: Ledger
    doers: dict[str, dict[str, Doers]]


def logged_rows(club_id: int) -> Logged:
    """Return a club's rows as its log records them."""
    logged = Logged({}, {})
    entries = LogEntry.objects.filter(club=club_id, payload__contains=f'"{ROWS}":')
    entries_with_rows = entries.order_by("position").values_list("payload", "names", "actor_id")
    for payload, names, actor_id in entries_with_rows.iterator(2000):
        whole_payload = texts_back(json.loads(payload), names)
        is_of_upgrade = FIRST_OF_ALL_ROWS in whole_payload
        if is_of_upgrade and whole_payload[FIRST_OF_ALL_ROWS]:
            logged.rows.clear()
            logged.doers.clear()
        if not is_of_upgrade:
            _note_doers(logged, whole_payload[ROWS], actor_id)
        payload_fold(logged.rows, whole_payload)
    return logged


def _note_doers(logged: Logged, stated_rows: Mapping[str, Any], actor_id: int | None) -> None:
    """Note the actor of an entry as the doer of those rows whose doer's column the entry
    changes."""
    for noun_name, rows in stated_rows.items():
        columns = NOUNS[noun_name].doers if noun_name in NOUNS else {}
        rows_before = logged.rows.get(noun_name, {})
        for name, cells in rows.items():
            for path, column in columns.items():
                value = (cells or {}).get(column)
                if value is not None and rows_before.get(name, {}).get(column) != value:
                    logged.doers.setdefault(noun_name, {}).setdefault(name, {})[path] = actor_id


def ledger_differences(club_id: int) -> Iterator[Difference]:
    """Yield the cells, rows and doers of a club that differ from its log."""
    ledger, doers = logged_rows(club_id)
    for noun in NOUNS.values():
        yield from doer_differences(noun, club_id, doers.get(noun.name, {}))
        stored = noun.of_club(club_id)
        logged = ledger.get(noun.name, {})
        for name in sorted(stored.keys() | logged.keys()):
            if name in stored and name in logged:
                yield from cell_differences(noun, name, stored[name], logged[name])
            else:
                yield Difference(noun.name, name, "row", name in stored, name in logged)


def doer_differences(noun: Noun, club_id: int, logged: Mapping[str, Doers]) -> Iterator[Difference]:
    """Yield the accounts (row ids) in a noun's rows that aren't the actors of the entries that
    record them."""
    for name, stored in noun.doers_of_club(club_id).items():
        for path, account in logged.get(name, {}).items():
            if stored[path] != account:
                yield Difference(noun.name, name, path.rpartition("__")[2], stored[path], account)


def cell_differences(
    noun: Noun, name: str, stored: RowCells, logged: RowCells
) -> Iterator[Difference]:
    """Yield the cells of a row that differ from the log. A cell that no entry records must hold the
    value that is assumed for its column (`Noun.values_before_log`)."""
    for column in noun.columns:
        assumed = noun.values_before_log.get(column, "what the log says, which is nothing")
        expected = logged.get(column, assumed)
        if not _is_forgotten(noun, column, expected) and stored[column] != expected:
            yield Difference(noun.name, name, column, stored[column], expected)


def _is_forgotten(noun: Noun, column: str, value: Any) -> bool:
    return (
        column in noun.texts and isinstance(value, str) and FORGOTTEN.fullmatch(value) is not None
    )
