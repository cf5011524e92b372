"""Marks of columns: what the log, forms and calendars need to know of a field beyond its type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar

from django.db.models import Field, ForeignKey, Model

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

AnyField = TypeVar("AnyField", bound="Field[Any, Any]")
ColumnMark: TypeAlias = Literal["logged", "setting", "text", "moves", "in_calendar", "history"]
NOT_GIVEN: Final = object()
"""The default of `earlier`, because None can be a value itself."""


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
    earlier: object = NOT_GIVEN,
) -> AnyField:
    """Mark a field of a model, and return it.

    - `logged`: the entries of the club's log record its values, under the field's name or under
      `name`. The value of a foreign key is recorded as a public id.
    - `setting`: organisers set it, so forms, API and copies have it.
    - `text`: people write it freely. The log seals a commitment and can forget the words; an
      erasure searches it.
    - `moves`: a time that moves with the date of its event.
    - `in_calendar`: calendars show it.
    - `history`: the label under which an event's history shows a change.
    - `digest`: the log records only the SHA-256 of its values.
    - `earlier`: the value to assume for rows whose log entries are older than the column, if that
      isn't the field's default.

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
    """Return the marks that `column` has set on a model's fields, by field name, in the order of
    declaration. Fields without marks are left out."""
    marks_by_field = {
        field.name: getattr(field, "column_marks", None) for field in model._meta.concrete_fields
    }
    return {name: marks for name, marks in marks_by_field.items() if marks is not None}


def columns_of(model: type[Model], mark: ColumnMark) -> tuple[str, ...]:
    """Return the names of a model's fields with this mark, in the order of declaration."""
    return tuple(name for name, marks in marks_of(model).items() if getattr(marks, mark))


def value_before_log(model: type[Model], field_name: str) -> object:
    """Return the value to assume for a marked field of a row as long as no log entry has recorded
    one, for instance because the entries are older than the field.

    It is the `earlier` of the field's mark if given, otherwise the field's default; None for a
    foreign key."""
    field = model._meta.get_field(field_name)
    marked_value = marks_of(model)[field_name].earlier
    if marked_value is not NOT_GIVEN:
        return marked_value
    if isinstance(field, Field) and not isinstance(field, ForeignKey):
        return field.get_default()
    return None
