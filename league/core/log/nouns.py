"""The nouns of the ledger: kinds of rows that a club's log states, each declared with its model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

from django.contrib.postgres.fields import ArrayField
from django.db.models import BinaryField, Case, F, Func, Model, Q, QuerySet, TextField, Value, When
from django.db.models.expressions import Combinable

from league.core.log.columns import columns_of, earlier_value, marks_of

RowCells: TypeAlias = dict[str, Any]
"""The cells of a row by column, as JSON values."""
RowKey: TypeAlias = int | tuple[int, ...]
"""The primary key of a row; a tuple if it is composite."""
Doers: TypeAlias = dict[str, int | None]
"""The accounts that acted on a row, by the paths to them; None: the service itself."""


class StoredRow(NamedTuple):
    """A stored row: its name, and its cells; None if the log doesn't cover it."""

    name: str
    cells: RowCells | None


NOUNS: Final[dict[str, Noun]] = {}
"""All nouns by name, in the order of the rooms."""


@dataclass(frozen=True, eq=False)
class Noun:
    """A kind of row that the log states.

    `club`: the path from the model to the club, or several, one of which leads there. `named`:
    paths or expressions that name a row together. Its columns are those that the model marks as
    logged, and `more`, by paths or expressions: of other models' rows (`columns_at`), or of models
    that can't be marked. `where`: the condition of the rows that the log covers. `finish` gets the
    cells of rows by key, and puts in place what no expression gives. `marked`: False if another
    noun has the marked columns. `doers`: paths to the accounts that acted on a row, each with the
    column that was stated when they did: the account is the actor of that entry."""

    name: str
    model: type[Model]
    club: str | tuple[str, ...] = "club"
    named: tuple[str | Combinable, ...] = ("public_id",)
    more: Mapping[str, str | Combinable] = field(default_factory=dict)
    where: Q | None = None
    finish: Callable[[dict[int, RowCells]], None] | None = None
    marked: bool = True
    doers: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if NOUNS.setdefault(self.name, self) is not self:
            raise ValueError(f"{self.name} is a noun already")

    @cached_property
    def fields(self) -> dict[str, str]:
        """The model's fields that the log states, by column name."""
        marks = marks_of(self.model)
        return {
            mark.name or name: name for name, mark in marks.items() if self.marked and mark.logged
        }

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of all its columns in the log."""
        return (*self.fields, *self.more)

    @cached_property
    def texts(self) -> frozenset[str]:
        """The columns with free text."""
        paths: dict[str, str] = dict(self.fields)
        for column, path in self.more.items():
            if isinstance(path, str):
                paths[column] = path
        return frozenset(
            column for column, path in paths.items() if _is_free_text(self.model, path)
        )

    @cached_property
    def earlier(self) -> RowCells:
        """The value of each column before the log stated it."""
        return {
            column: plain(earlier_value(self.model, name)) for column, name in self.fields.items()
        }

    def of_club(self, club_id: int) -> dict[str, RowCells]:
        """Return a club's rows that the log covers, by name."""
        rows = self._read(self._condition_of_club(club_id)).values()
        return {row.name: row.cells for row in rows if row.cells is not None}

    def doers_of_club(self, club_id: int) -> dict[str, Doers]:
        """Return the accounts that acted on each row of a club, by the row's name and the paths in
        `doers`."""
        if not self.doers:
            return {}
        names = {f"name_{number}": _expression(path) for number, path in enumerate(self.named)}
        rows = self.model._base_manager.filter(self._condition_of_club(club_id)).annotate(**names)
        accounts: dict[str, Doers] = {}
        for values in rows.values_list(*names, *self.doers).iterator(2000):
            name = row_name(values[: len(names)])
            accounts[name] = dict(zip(self.doers, values[len(names) :], strict=True))
        return accounts

    def of_keys(self, keys: Collection[RowKey]) -> dict[RowKey, StoredRow]:
        """Return rows by primary key, in one query; deleted ones are missing."""
        return self._read(Q(pk__in=list(keys)))

    def names_of(self, keys: Iterable[RowKey]) -> list[str]:
        """Return the names of rows, given their primary keys."""
        rows = self.model._base_manager.filter(pk__in=keys).values_list(*self.named)
        return [row_name(parts) for parts in rows]

    def _condition_of_club(self, club_id: int) -> Q:
        paths = (self.club,) if isinstance(self.club, str) else self.club
        of_club = Q(*((path, club_id) for path in paths), _connector=Q.OR)
        if self.where is None:
            return of_club
        return of_club & self.where

    def _read(self, condition: Q) -> dict[RowKey, StoredRow]:
        """Return rows by primary key; those that the log doesn't cover have no cells."""
        names = {f"name_{number}": _expression(path) for number, path in enumerate(self.named)}
        cells = {f"cell_{number}": path for number, path in enumerate(self._column_expressions)}
        is_covered: Combinable = Value(True)
        if self.where is not None:
            is_covered = Case(When(self.where, then=True), default=False)
        rows: QuerySet[Any] = self.model._base_manager.filter(condition)
        rows = rows.annotate(there=is_covered, **names, **cells)
        values_rows = rows.values_list("pk", "there", *names, *cells)

        stored: dict[RowKey, StoredRow] = {}
        cells_by_key: dict[Any, RowCells] = {}
        for key, row_is_covered, *values in values_rows.iterator(2000):
            name = row_name(values[: len(names)])
            row_cells = dict(zip(self.columns, map(plain, values[len(names) :]), strict=True))
            if row_is_covered:
                stored[key] = StoredRow(name, row_cells)
                cells_by_key[key] = row_cells
            else:
                stored[key] = StoredRow(name, None)
        if self.finish is not None:
            self.finish(cells_by_key)
        return stored

    @cached_property
    def _column_expressions(self) -> list[Combinable]:
        marked = [_logged_expression(self.model, name) for name in self.fields.values()]
        return [*marked, *map(_expression, self.more.values())]


def columns_at(path: str, model: type[Model]) -> dict[str, str]:
    """Return the paths to the logged columns of a related `model`, by column name; `path` leads to
    it from another model."""
    marks = marks_of(model)
    return {marks[name].name or name: f"{path}__{name}" for name in columns_of(model, "logged")}


def row_name(parts: Iterable[object]) -> str:
    """Return the name of a row in the log, which joins the values that name it together."""
    return " ".join(map(str, parts))


def plain(value: object) -> Any:
    """Return a value as a JSON value: times in UTC, bytes in hexadecimal."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    if value is None or isinstance(value, str | int | float | bool | dict):
        return value
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    return str(value)


def sha256_of(path: str, *, is_text: bool) -> Func:
    """Return the SQL expression of a column's SHA-256: the content never leaves the database."""
    content: Combinable = F(path)
    if is_text:
        content = Func(F(path), Value("UTF8"), function="convert_to", output_field=BinaryField())
    return Func(content, function="sha256", output_field=BinaryField())


def public_ids_of(path: str, model: type[Model], *, in_order: bool = False) -> Func:
    """Return the SQL expression that turns a column of primary keys of a model into public ids, in
    the list's order if `in_order`, otherwise sorted. A key without a row stays as it is."""
    public_id = "COALESCE(named.public_id, listed.key::text)"
    template = (
        "ARRAY(SELECT %(public_id)s"
        " FROM unnest(%(expressions)s) WITH ORDINALITY AS listed (key, place)"
        " LEFT JOIN %(table)s named ON named.id = listed.key ORDER BY %(order)s)"
    )
    return Func(
        F(path),
        template=template,
        table=model._meta.db_table,
        public_id=public_id,
        order="listed.place" if in_order else f'{public_id} COLLATE "C"',
        output_field=ArrayField(TextField()),
    )


def _is_free_text(model: type[Model], path: str) -> bool:
    *relations, name = path.split("__")
    owner: Any = model
    for relation in relations:
        owner = owner._meta.get_field(relation).related_model
    marks = marks_of(owner).get(name)
    return marks is not None and marks.text


def _expression(path: str | Combinable) -> Combinable:
    if isinstance(path, str):
        return F(path)
    return path


def _logged_expression(model: type[Model], name: str) -> Combinable:
    model_field = model._meta.get_field(name)
    if marks_of(model)[name].digest:
        return sha256_of(name, is_text=not isinstance(model_field, BinaryField))
    return F(f"{name}__public_id" if model_field.is_relation else name)
