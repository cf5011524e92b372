"""Marks of columns: what the log, forms and calendars need to know of a field beyond its type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar

from django.db.models import Field, ForeignKey, Model

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

AnyField = TypeVar("AnyField", bound="Field[Any, Any]")
ColumnMark: TypeAlias = Literal["logged", "setting", "text", "moves", "in_calendar", "history"]
NOT_SAID: Final = object()
"""The default of `earlier`: None can be a value itself."""


@dataclass(frozen=True, slots=True)
class ColumnMarks:
    """The marks of a column; `column` explains them."""

    logged: bool
    name: str
    setting: bool
    text: bool
    moves: bool
    in_calendar: bool
    history: StrOrPromise
    digest: bool
    earlier: object


def column(
    field: AnyField,
    /,
    *,
    logged: bool = True,
    name: str = "",
    setting: bool = False,
    text: bool = False,
    moves: bool = False,
    in_calendar: bool = False,
    history: StrOrPromise = "",
    digest: bool = False,
    earlier: object = NOT_SAID,
) -> AnyField:
    """Mark a field of a model, and return it.

    - `logged`: the club's log states it, under the field's name or under `name`. A foreign key is
      stated by public id.
    - `setting`: organisers set it, so forms, API and copies have it.
    - `text`: people write it freely. The log seals a commitment and can forget the words; an
      erasure searches it.
    - `moves`: a time that moves with the date of its event.
    - `in_calendar`: calendars show it.
    - `history`: the label under which an event's history shows a change.
    - `digest`: the log states only its SHA-256.
    - `earlier`: the value before the log stated the column, if that isn't the field's default.

    Annotate a foreign key, `season: models.ForeignKey[Season, Season] = column(…)`: mypy's plugin
    finds it only where the key itself is assigned."""
    field.__dict__["column_marks"] = ColumnMarks(
        logged=logged,
        name=name,
        setting=setting,
        text=text,
        moves=moves,
        in_calendar=in_calendar,
        history=history,
        digest=digest,
        earlier=earlier,
    )
    return field


def marks_of(model: type[Model]) -> dict[str, ColumnMarks]:
    """Return the marks of a model's columns by field, in the order of declaration."""
    marks = {
        field.name: getattr(field, "column_marks", None) for field in model._meta.concrete_fields
    }
    return {name: mark for name, mark in marks.items() if mark is not None}


def columns_of(model: type[Model], mark: ColumnMark) -> tuple[str, ...]:
    """Return the names of a model's fields with this mark, in the order of declaration."""
    return tuple(name for name, marks in marks_of(model).items() if getattr(marks, mark))


def earlier_value(model: type[Model], field_name: str) -> object:
    """Return the value that a field counts as having had before the log stated it."""
    field = model._meta.get_field(field_name)
    earlier = marks_of(model)[field_name].earlier
    if earlier is not NOT_SAID:
        return earlier
    if isinstance(field, Field) and not isinstance(field, ForeignKey):
        return field.get_default()
    return None
