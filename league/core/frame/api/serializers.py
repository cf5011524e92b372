"""Serializers of nouns: one class reads a body, writes an answer and describes both. And fields for
members that no model has."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any, Final, TypeAlias, TypeVar

from django.db.models import DateTimeField, Model
from rest_framework import serializers
from rest_framework.fields import get_attribute

from engine.illegal import Illegal, quote
from engine.messages import Message
from engine.record.record import parse
from games.models.public_id import LENGTH
from league.core.frame.api.problems import NO_OFFSET, Problem, bad_value, no_offset, value_fault

SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")
MOST: Final = 200
"""The most things that one request may name, by default."""
M = TypeVar("M", bound=Model)


class TimeField(serializers.DateTimeField):
    """A time by RFC 3339. It needs an offset: without one its hour is ambiguous."""

    default_error_messages = {NO_OFFSET: "A time needs an offset, as in 2026-09-01T19:30:00+02:00."}

    def enforce_timezone(self, value: datetime) -> datetime:
        """Return the time. Raise `ValidationError` if it has no offset."""
        if value.tzinfo is None:
            self.fail(NO_OFFSET)
        return super().enforce_timezone(value)


class Serializer(serializers.Serializer[Any]):
    """A noun of the API. Its answers have every member; a body may have those that aren't
    read-only, and no others.

    A member with the name of a builtin is declared with an underscore at the end: `round_`."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields by member name."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}

    def to_internal_value(self, data: Any) -> Any:
        """Return the members of a body. Raise `ValidationError` for unknown members, nested ones
        included, as for invalid ones."""
        names = [field.field_name for field in self.fields.values() if not field.read_only]
        members = data if isinstance(data, dict) else {}
        unknown = [str(name) for name in members if name not in names]
        if unknown:
            fault = serializers.ErrorDetail("There is no such member.", "unknown_member")
            raise serializers.ValidationError({quote(name): [fault] for name in unknown[:20]})
        return super().to_internal_value(data)

    @classmethod
    def of(cls, content: bytes, *, partial: bool = False) -> dict[str, Any]:
        """Return the members of a body, with defaults unless it is `partial`. Raise a problem 400
        for faults, 422 for a time without an offset."""
        value = parse(content)
        if isinstance(value, Illegal):
            raise Problem(400, "parse_error", value.message)
        if SURROGATE.search(content) and not _is_encodable(value):
            raise Problem(400, "parse_error", "A text holds half of a surrogate pair.")
        serializer = cls(data=value, partial=partial)
        if not serializer.is_valid():
            faults = list(_faults(serializer.errors))
            raise no_offset(faults) or bad_value(faults)
        return dict(serializer.validated_data)


class ModelSerializer(Serializer, serializers.ModelSerializer[M]):
    """A noun with a model's members and limits. It is stored by services, never by the serializer.

    Its `id` is the public id; row ids stay inside. `Meta.help_texts` describes members, as in
    forms."""

    serializer_field_mapping = serializers.ModelSerializer.serializer_field_mapping | {
        DateTimeField: TimeField
    }

    def build_field(self, field_name: str, *args: Any) -> tuple[type[Any], dict[str, Any]]:
        """Return the class and the options of a member that isn't declared."""
        if field_name == "id":
            return serializers.CharField, {"source": "public_id", "read_only": True}
        return super().build_field(field_name, *args)

    def get_extra_kwargs(self) -> dict[str, dict[str, Any]]:
        """Return the options of members, with their help texts."""
        options = super().get_extra_kwargs()
        for name, text in getattr(self.Meta, "help_texts", {}).items():
            options.setdefault(name, {})["help_text"] = text
        return options


class Body(Serializer):
    """The members of a request."""


def list_of(
    body: type[Serializer], *, least: int, most: int = MOST
) -> serializers.ListSerializer[None]:
    """Return a member that is a list of `least` to `most` objects, each with the members of
    `body`."""
    return serializers.ListSerializer(child=body(), min_length=least, max_length=most)


class IdsField(serializers.ListField):
    """A list of public ids, at most `most` of them."""

    child = serializers.CharField(max_length=LENGTH)

    def __init__(self, most: int = MOST, **kwargs: Any) -> None:
        super().__init__(max_length=most, **kwargs)


class FormattedField(serializers.CharField):
    """A text that a function makes from attributes of the row (`club.slug`).

    With `allow_null` it is null if an attribute is missing or None."""

    def __init__(
        self, function: Callable[..., str | None], *attributes: str, **kwargs: Any
    ) -> None:
        super().__init__(read_only=True, **kwargs)
        self.function = function
        self.attributes = attributes

    def get_attribute(self, instance: Any) -> str | None:
        """Return the text. Raise `AttributeError` if a required attribute is missing."""
        try:
            values = [get_attribute(instance, name.split(".")) for name in self.attributes]
        except (AttributeError, KeyError):
            if self.allow_null:
                return None
            raise
        if self.allow_null and None in values:
            return None
        return self.function(*values)


class LinkField(FormattedField):
    """A link made by a function of `links`, followed by the `tail`."""

    def __init__(
        self, link: Callable[..., str], *attributes: str, tail: str = "", **kwargs: Any
    ) -> None:
        super().__init__(lambda *values: link(*values) + tail, *attributes, **kwargs)


def base64_bytes(text: str) -> bytes:
    """Return the bytes that a text encodes in base64. Raise `ValidationError` if it isn't
    base64."""
    try:
        return b64decode(text, validate=True)
    except ValueError:
        raise serializers.ValidationError("This isn't base64.") from None


def none_if_empty(text: str) -> str | None:
    """Return the text, or None if it is empty: models store it empty, answers have null."""
    return text or None


class MessageSerializer(Serializer):
    """A sentence in English, with its template and the values in it; a value may be such a pair
    itself."""

    text = serializers.CharField()
    template = serializers.CharField()
    values = serializers.DictField(child=serializers.JSONField(allow_null=True))

    def to_representation(self, instance: Message) -> dict[str, object]:
        """The sentence as it is sent."""
        return {"text": str(instance), **instance.as_json()}


def _is_encodable(value: Any) -> bool:
    """Return False for half of a surrogate pair, which JSON can contain."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _faults(errors: Any, pointer: str = "") -> Iterator[dict[str, str]]:
    if isinstance(errors, serializers.ErrorDetail):
        yield value_fault(pointer, str(errors), errors.code or "invalid")
    elif isinstance(errors, dict):
        for name, nested_errors in errors.items():
            if name == "non_field_errors":
                yield from _faults(nested_errors, pointer)
            else:
                member = str(name).replace("~", "~0").replace("/", "~1")
                yield from _faults(nested_errors, f"{pointer}/{member}")
    else:
        for index, nested_errors in enumerate(errors):
            yield from _faults(
                nested_errors, pointer if isinstance(nested_errors, str) else f"{pointer}/{index}"
            )


RowReader: TypeAlias = Callable[[Any], Any]


class RowSerializer(Serializer):
    """A row of a long list: each value is read by its field's `source`, and sent as it is stored.

    That takes a quarter of the time of fields that convert their values: 200 rows of a table have
    3,000 values."""

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the members of a row, read from its columns or from an object's attributes."""
        members = _member_readers(type(self), from_dicts=isinstance(instance, dict))
        return {name: read(instance) for name, read in members}


@cache
def _member_readers(
    row_class: type[RowSerializer], from_dicts: bool
) -> list[tuple[str, RowReader]]:
    getter = itemgetter if from_dicts else attrgetter
    fields = [field for field in row_class().fields.values() if not field.write_only]
    return [(str(field.field_name), _reader_of(field, getter)) for field in fields]


def _reader_of(
    field: serializers.Field[Any, Any, Any, Any], getter: Callable[..., RowReader]
) -> RowReader:
    if isinstance(field, FormattedField):
        return _formatted_reader(field.function, getter(*field.attributes), len(field.attributes))
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
        return _reader_unless_none(field.to_representation, read)
    return read


def _formatted_reader(
    function: Callable[..., str | None], read: RowReader, value_count: int
) -> RowReader:
    if value_count == 1:
        return _reader_unless_none(function, read)
    return lambda row: function(*read(row))


def _reader_unless_none(function: Callable[[Any], Any], read: RowReader) -> RowReader:
    def value_of(row: Any) -> Any:
        value = read(row)
        if value is None:
            return None
        return function(value)

    return value_of
