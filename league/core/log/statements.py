"""Statements: the values of rows that the entries of a club's log record, read from the database
when the journal is written.

The payload of an entry has `rows`: {noun: {row: {column: value}}}: all cells of a new row, the
changed cells of another, null for a row that is gone. Free texts are stored beside the entry; the
payload has their commitments under `noun/row/column`. The last recorded value of a cell counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from django.db.models import Model

from league.core.log.nouns import Noun, RowCells, RowKey, StoredRow

ROWS: Final = "rows"
"""The key of the statements in an entry's payload."""

LoggedRows: TypeAlias = dict[str, RowCells | None]
"""The cells of rows by name; None: the row is gone."""
StoredRows: TypeAlias = Mapping[Noun, Mapping[RowKey, StoredRow]]
"""Stored rows by primary key."""


class ChangedRow(NamedTuple):
    """A row whose values an entry records, given as a model or a primary key. `columns`: the names
    of the changed columns in the log; None means all."""

    noun: Noun
    row: Model | RowKey
    columns: frozenset[str] | None

    @property
    def key(self) -> RowKey:
        """The row's primary key, once it is stored."""
        return self.row.pk if isinstance(self.row, Model) else self.row

    def recorded(
        self, stored: StoredRow, recorded_so_far: RowCells | None
    ) -> tuple[RowCells | None, dict[str, str]]:
        """Return the cells that the entry records of the row, and the texts to store beside the
        entry, by place. The cells include those that the same entry has `recorded_so_far`, from
        another `ChangedRow` of the row. They are None if the log doesn't cover the row."""
        if stored.cells is None:
            return None, {}
        cells = {
            column: value
            for column, value in stored.cells.items()
            if self.columns is None or column in self.columns
        }
        texts_by_column = {
            column: cells.pop(column) for column in self.noun.texts if cells.get(column)
        }
        texts_by_place = {
            place_of(self.noun.name, stored.name, column): text
            for column, text in texts_by_column.items()
        }
        return {**(recorded_so_far or {}), **cells}, texts_by_place


@dataclass(slots=True)
class RowStatement:
    """The rows whose values one entry records. `changed`: rows whose cells are read when the
    journal is written; `known`: rows with given cells, whose texts aren't stored beside the
    entry."""

    changed: list[ChangedRow] = field(default_factory=list)
    known: list[tuple[Noun, LoggedRows]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.changed or self.known)

    def payload(self, stored: StoredRows) -> tuple[dict[str, Any], dict[str, str]]:
        """Return the part of the entry's payload with the rows, and the texts to store beside the
        entry, by place. `stored`: the rows of `changed` as they are stored now."""
        rows_by_noun: dict[str, LoggedRows] = {}
        texts_by_place: dict[str, str] = {}
        for noun, known_rows in self.known:
            rows_by_noun.setdefault(noun.name, {}).update(known_rows)
        for changed in self.changed:
            stored_row = stored[changed.noun].get(changed.key)
            if stored_row is None:
                continue
            rows = rows_by_noun.setdefault(changed.noun.name, {})
            cells, row_texts = changed.recorded(stored_row, rows.get(stored_row.name))
            rows[stored_row.name] = cells
            texts_by_place |= row_texts

        rows_by_noun = {noun: rows for noun, rows in rows_by_noun.items() if rows}
        return ({ROWS: rows_by_noun} if rows_by_noun else {}), texts_by_place


def stored_rows(statements: Iterable[RowStatement]) -> StoredRows:
    """Return the changed rows of the statements as they are stored now, by noun and primary key.
    One query for each noun."""
    keys: dict[Noun, set[RowKey]] = {}
    for statement in statements:
        for changed in statement.changed:
            keys.setdefault(changed.noun, set()).add(changed.key)
    return {noun: noun.of_keys(noun_keys) for noun, noun_keys in keys.items()}


def place_of(noun: str, name: str, column: str) -> str:
    """Return the place of a row's text beside an entry: the key of its commitment."""
    return f"{noun}/{name}/{column}"


def row_of_place(place: str) -> tuple[str, str, str] | None:
    """Return the noun, the row's name and the column in a place beside an entry; None if it isn't
    the place of a row's text."""
    parts = place.split("/")
    if len(parts) != 3:
        return None
    noun, name, column = parts
    return noun, name, column


def payload_fold(rows: dict[str, dict[str, RowCells]], payload: Mapping[str, Any]) -> None:
    """Update `rows` (by noun and name) by the rows that an entry records. In its payload the texts
    are back in their places (`texts_back`)."""
    for noun, recorded_rows in payload.get(ROWS, {}).items():
        noun_rows = rows.setdefault(noun, {})
        for name, cells in recorded_rows.items():
            if cells is None:
                noun_rows.pop(name, None)
            else:
                noun_rows.setdefault(name, {}).update(cells)

    for place, text in payload.items():
        parts = row_of_place(place)
        if parts is not None:
            noun, name, column = parts
            rows[noun][name][column] = text
