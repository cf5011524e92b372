"""Statements: what the entries of a club's log say of rows, read from the database when the journal
is written.

The payload of an entry has `rows`: {noun: {row: {column: value}}}. It states all cells of a new
row, the changed ones of another, and null for a row that is gone. What people write freely stands
beside the entry, and the payload has its commitment under `noun/row/column`. What a log says is the
last statement of each cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from django.db.models import Model

from league.core.log.nouns import Noun, RowCells, RowKey, StoredRow

ROWS: Final = "rows"
"""The key of statements in the payload of an entry."""

LoggedRows: TypeAlias = dict[str, RowCells | None]
"""The cells of rows by what names them; None: the row is gone."""
StoredRows: TypeAlias = Mapping[Noun, Mapping[RowKey, StoredRow]]
"""Rows as they are stored, by their keys in the database."""


class ChangedRow(NamedTuple):
    """A row that an entry states, itself or its key in the database. `columns`: those that changed;
    None: all."""

    noun: Noun
    row: Model | RowKey
    columns: frozenset[str] | None

    @property
    def key(self) -> RowKey:
        """The key of the row, once it is stored."""
        return self.row.pk if isinstance(self.row, Model) else self.row

    def stated(
        self, stored: StoredRow, earlier: RowCells | None
    ) -> tuple[RowCells | None, dict[str, str]]:
        """Return the cells that the entry states of the row, beside those that it states `earlier`,
        and the words that stand beside it, by their places."""
        if stored.cells is None:
            return None, {}
        cells = {
            column: value
            for column, value in stored.cells.items()
            if self.columns is None or column in self.columns
        }
        texts = {column: cells.pop(column) for column in self.noun.texts if cells.get(column)}
        words = {
            place_of(self.noun.name, stored.name, column): text for column, text in texts.items()
        }
        return {**(earlier or {}), **cells}, words


@dataclass(slots=True)
class RowStatement:
    """The rows that one entry states. `changed`: those that are read when the journal is written;
    `known`: those whose cells the entry tells before they are so, in its payload alone."""

    changed: list[ChangedRow] = field(default_factory=list)
    known: list[tuple[Noun, LoggedRows]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.changed or self.known)

    def payload(self, stored: StoredRows) -> tuple[dict[str, Any], dict[str, str]]:
        """Return what the entry's payload gets, and the words that stand beside it; `stored`: the
        rows as they are."""
        stated: dict[str, LoggedRows] = {}
        words: dict[str, str] = {}
        for noun, rows in self.known:
            stated.setdefault(noun.name, {}).update(rows)
        for changed in self.changed:
            row = stored[changed.noun].get(changed.key)
            if row is not None:
                rows = stated.setdefault(changed.noun.name, {})
                rows[row.name], texts = changed.stated(row, rows.get(row.name))
                words |= texts
        stated = {noun: rows for noun, rows in stated.items() if rows}
        return ({ROWS: stated} if stated else {}), words


def stored_rows(statements: Iterable[RowStatement]) -> StoredRows:
    """Read all rows that statements name, in one query a noun."""
    keys: dict[Noun, set[RowKey]] = {}
    for statement in statements:
        for changed in statement.changed:
            keys.setdefault(changed.noun, set()).add(changed.key)
    return {noun: noun.of_keys(noun_keys) for noun, noun_keys in keys.items()}


def place_of(noun: str, name: str, column: str) -> str:
    """Return the place of a text beside an entry."""
    return f"{noun}/{name}/{column}"


def row_of_place(place: str) -> tuple[str, str, str] | None:
    """Return the noun, the name of the row and the column of a place; None: it isn't that of a
    stated text."""
    parts = place.split("/")
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 else None


def payload_fold(rows: dict[str, dict[str, RowCells]], payload: Mapping[str, Any]) -> None:
    """Let the statements of an entry, with the words in their places, take the place of what was
    said before."""
    for noun, stated in payload.get(ROWS, {}).items():
        of_noun = rows.setdefault(noun, {})
        for name, cells in stated.items():
            if cells is None:
                of_noun.pop(name, None)
            else:
                of_noun.setdefault(name, {}).update(cells)
    for place, word in payload.items():
        if (parts := row_of_place(place)) is not None:
            noun, name, column = parts
            rows[noun][name][column] = word
