"""Statements: what the entries of a club's log say of rows, read from the database when the journal
is written.

The payload of an entry has `rows`: {noun: {row: {column: value}}}: all cells of a new row, the
changed ones of another, null for a row that is gone. Free texts are stored beside the entry; the
payload has their commitments under `noun/row/column`. The last statement of a cell counts."""

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
    """A row that an entry states, given as a model or a primary key. `columns`: the changed ones;
    None means all."""

    noun: Noun
    row: Model | RowKey
    columns: frozenset[str] | None

    @property
    def key(self) -> RowKey:
        """The row's primary key, once it is stored."""
        return self.row.pk if isinstance(self.row, Model) else self.row

    def stated(
        self, stored: StoredRow, earlier: RowCells | None
    ) -> tuple[RowCells | None, dict[str, str]]:
        """Return the cells that the entry states of the row, together with those that it stated
        `earlier`, and the texts to store beside the entry, by place."""
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
        return {**(earlier or {}), **cells}, texts_by_place


@dataclass(slots=True)
class RowStatement:
    """The rows that one entry states. `changed`: rows whose cells are read when the journal is
    written; `known`: rows with given cells, whose texts aren't stored beside the entry."""

    changed: list[ChangedRow] = field(default_factory=list)
    known: list[tuple[Noun, LoggedRows]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.changed or self.known)

    def payload(self, stored: StoredRows) -> tuple[dict[str, Any], dict[str, str]]:
        """Return the statement's part of the entry's payload, and the texts to store beside the
        entry, by place."""
        stated: dict[str, LoggedRows] = {}
        texts_by_place: dict[str, str] = {}
        for noun, rows in self.known:
            stated.setdefault(noun.name, {}).update(rows)
        for changed in self.changed:
            stored_row = stored[changed.noun].get(changed.key)
            if stored_row is None:
                continue
            rows = stated.setdefault(changed.noun.name, {})
            cells, row_texts = changed.stated(stored_row, rows.get(stored_row.name))
            rows[stored_row.name] = cells
            texts_by_place |= row_texts

        stated = {noun: rows for noun, rows in stated.items() if rows}
        return ({ROWS: stated} if stated else {}), texts_by_place


def stored_rows(statements: Iterable[RowStatement]) -> StoredRows:
    """Read all rows that the statements name, with one query for each noun."""
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
    """Update rows (by noun and name) by the statements in a payload in which the texts are back in
    their places."""
    for noun, stated_rows in payload.get(ROWS, {}).items():
        noun_rows = rows.setdefault(noun, {})
        for name, cells in stated_rows.items():
            if cells is None:
                noun_rows.pop(name, None)
            else:
                noun_rows.setdefault(name, {}).update(cells)

    for place, text in payload.items():
        parts = row_of_place(place)
        if parts is not None:
            noun, name, column = parts
            rows[noun][name][column] = text
