"""Rows of long lists as answers hold them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any, TypeAlias

from rest_framework import serializers

from league.frame.api.body import Serializer
from league.frame.api.fields import LinkField

RowReader: TypeAlias = Callable[[Any], Any]


@cache
def reader(*sources: str, columns: bool) -> RowReader:
    """Read the values of these names: of a row's columns, or of an object's attributes."""
    return (itemgetter if columns else attrgetter)(*sources)


class RowSerializer(Serializer):
    """A row of a long list: each value is read by its field's `source`, and sent as it is stored.

    That takes a fifth of the time in which fields convert their values; 200 rows of a table hold 3,000.
    """

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """The members of a row, read from its columns or from an object's attributes."""
        members = _members(type(self), columns=isinstance(instance, Mapping))
        return {name: read(instance) for name, read in members}


@cache
def _members(kind: type[RowSerializer], *, columns: bool) -> list[tuple[str, RowReader]]:
    """The members of such rows, each with what reads it."""
    fields = [field for field in kind().fields.values() if not field.write_only]
    return [(str(field.field_name), _member(field, columns=columns)) for field in fields]


def _member(field: serializers.Field[Any, Any, Any, Any], *, columns: bool) -> RowReader:
    """Read a member of a row."""
    if isinstance(field, LinkField):
        return field.get_attribute
    if field.source == "*":
        return field.to_representation
    read = reader(str(field.source), columns=columns)
    if isinstance(field, serializers.BaseSerializer):
        return lambda row: None if (value := read(row)) is None else field.to_representation(value)
    return read
