"""Rows of lists as answers hold them: values as they are stored, and addresses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any, TypeAlias

from rest_framework import serializers

Reader: TypeAlias = Callable[[Any], Any]


@cache
def reader(sources: tuple[str, ...], *, columns: bool) -> Reader:
    """Read the values of these names: of a row's columns, or of an object's attributes."""
    return (itemgetter if columns else attrgetter)(*sources)


class LinkField(serializers.CharField):
    """An address, made by `link` from the values at the sources, with what stands below it; null where one is empty."""

    def __init__(self, link: Callable[..., str], *sources: str, below: str = "", **options: Any) -> None:
        super().__init__(source="*", read_only=True, **options)
        self.link, self.sources, self.below = link, sources, below

    def to_representation(self, value: Any) -> str | None:  # type: ignore[override]
        """The address of a row."""
        values = reader(self.sources, columns=isinstance(value, Mapping))(value)
        if len(self.sources) == 1:
            return f"{self.link(values)}{self.below}" if values else None
        return f"{self.link(*values)}{self.below}" if all(values) else None


class RowSerializer(serializers.Serializer[Any]):
    """A row of a list: each value is read by its field's `source`, and sent as it is stored.

    That takes a fifth of the time in which fields convert their values; 200 rows of a table hold 3,000.
    """

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """The members of a row, read from its columns or from an object's attributes."""
        columns = isinstance(instance, Mapping)
        return {name: read(instance) for name, read in _member_readers(type(self), columns=columns)}

    @classmethod
    def answer(cls, row: Any) -> dict[str, Any]:
        """A row as it is sent: `cls(row).data` without making a serializer for each."""
        columns = isinstance(row, Mapping)
        return {name: read(row) for name, read in _member_readers(cls, columns=columns)}


@cache
def _member_readers(kind: type[RowSerializer], *, columns: bool) -> list[tuple[str, Reader]]:
    """The members of such rows, each with what reads it."""
    fields = [field for field in kind().fields.values() if not field.write_only]
    return [(str(field.field_name), _member_reader(field, columns=columns)) for field in fields]


def _member_reader(field: serializers.Field[Any, Any, Any, Any], *, columns: bool) -> Reader:
    """Read a member from a row."""
    if field.source == "*":
        return field.to_representation
    read = reader((str(field.source),), columns=columns)
    if isinstance(field, serializers.BaseSerializer):
        return lambda row: None if (inner := read(row)) is None else field.to_representation(inner)
    return read
