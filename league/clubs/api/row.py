"""Rows of long lists as answers hold them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any, TypeAlias

from rest_framework import serializers

from league.frame.api.serializers import LinkField, Serializer

RowReader: TypeAlias = Callable[[Any], Any]


class RowSerializer(Serializer):
    """A row of a long list: each value is read by its field's `source`, and sent as it is stored.

    That takes a fourth of the time in which fields convert their values; 200 rows of a table hold 3,000.
    """

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """The members of a row, read from its columns or from an object's attributes."""
        return {name: read(instance) for name, read in _members(type(self), isinstance(instance, dict))}


@cache
def _members(kind: type[RowSerializer], columns: bool) -> list[tuple[str, RowReader]]:
    """The members of such rows, each with what reads it from columns, or else from attributes."""
    fields = [field for field in kind().fields.values() if not field.write_only]
    return [(str(field.field_name), _member(field, itemgetter if columns else attrgetter)) for field in fields]


def _member(field: serializers.Field[Any, Any, Any, Any], getter: Callable[..., RowReader]) -> RowReader:
    """Read a member of a row."""
    if isinstance(field, LinkField):
        return _link(field, getter(*field.attributes))
    if isinstance(field, serializers.SerializerMethodField):
        method: RowReader = getattr(field.parent, str(field.method_name))
        return method
    if field.source == "*":
        return field.to_representation
    read = getter(str(field.source))
    if isinstance(field, serializers.ListSerializer) and field.child:
        represent = field.child.to_representation
        return lambda row: [represent(value) for value in read(row)]
    if isinstance(field, serializers.BaseSerializer):
        return lambda row: None if (value := read(row)) is None else field.to_representation(value)
    return read


def _link(field: LinkField, read: RowReader) -> RowReader:
    """Read an address from a row."""
    link, tail = field.link, field.tail
    if len(field.attributes) == 1:
        return lambda row: None if (value := read(row)) is None else link(value) + tail
    return lambda row: link(*read(row)) + tail
