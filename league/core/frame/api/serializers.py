"""Serializers of nouns: one class reads a body, writes an answer and describes both; members that
no model has."""

from __future__ import annotations

import json
import re
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
"""So many things one request may name, if nothing else is said."""
M = TypeVar("M", bound=Model)


class TimeField(serializers.DateTimeField):
    """A time by RFC 3339, with its offset: without one nobody knows which hour is meant."""

    default_error_messages = {
        NO_OFFSET: "A time needs its offset, as in 2026-09-01T19:30:00+02:00."
    }

    def enforce_timezone(self, value: datetime) -> datetime:
        """The time. Raises `ValidationError` for one without an offset."""
        if value.tzinfo is None:
            self.fail(NO_OFFSET)
        return super().enforce_timezone(value)


class Serializer(serializers.Serializer[Any]):
    """A noun of the API. Its answers hold every member; a body may hold those that aren't
    read-only, and no others.

    A member that is called as a builtin is declared with an underscore behind its name: `round_`.
    """

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """The fields, by the names of their members."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}

    def to_internal_value(self, data: Any) -> Any:
        """The members of a body, read. Raises `ValidationError`, also for unknown ones, however
        deep they stand."""
        names = [field.field_name for field in self.fields.values() if not field.read_only]
        unknown = (
            [str(name) for name in data if name not in names] if isinstance(data, dict) else []
        )
        if unknown:
            fault = serializers.ErrorDetail("There is no such member.", "unknown_member")
            raise serializers.ValidationError({quote(name): [fault] for name in unknown[:20]})
        return super().to_internal_value(data)

    @classmethod
    def of(cls, content: bytes, *, partial: bool = False) -> dict[str, Any]:
        """The members of a body, defaults filled in unless it is `partial`. Raises problems 400,
        and 422 for a time without an offset."""
        value = parse(content)
        if isinstance(value, Illegal):
            raise Problem(400, "parse_error", value.message)
        if SURROGATE.search(content) and not _is_text(value):
            raise Problem(400, "parse_error", "A text holds half of a surrogate pair.")
        serializer = cls(data=value, partial=partial)
        if not serializer.is_valid():
            faults = list(_faults(serializer.errors))
            raise no_offset(faults) or bad_value(faults)
        return dict(serializer.validated_data)


class ModelSerializer(Serializer, serializers.ModelSerializer[M]):
    """A noun whose members are those of a model, with the model's limits. Services store it, never
    the serializer.

    Its `id` is the public id; nobody outside hears of the others. `Meta.help_texts` describes
    members, as in forms."""

    serializer_field_mapping = serializers.ModelSerializer.serializer_field_mapping | {
        DateTimeField: TimeField
    }

    def build_field(self, field_name: str, *args: Any) -> tuple[type[Any], dict[str, Any]]:
        """The class and the options of a member that isn't declared."""
        if field_name == "id":
            return serializers.CharField, {"source": "public_id", "read_only": True}
        return super().build_field(field_name, *args)

    def get_extra_kwargs(self) -> dict[str, dict[str, Any]]:
        """The options of members, with their help texts."""
        options = super().get_extra_kwargs()
        for name, text in getattr(self.Meta, "help_texts", {}).items():
            options.setdefault(name, {})["help_text"] = text
        return options


class Body(Serializer):
    """The members of a request alone."""


def several(
    body: type[Serializer], *, least: int, most: int = MOST
) -> serializers.ListSerializer[None]:
    """A member that is a list of so many such objects."""
    return serializers.ListSerializer(child=body(), min_length=least, max_length=most)


class IdsField(serializers.ListField):
    """A list of public ids, at most `most` of them."""

    child = serializers.CharField(max_length=LENGTH)

    def __init__(self, most: int = MOST, **kwargs: Any) -> None:
        super().__init__(max_length=most, **kwargs)


class FormattedField(serializers.CharField):
    """A text that a function makes from attributes of the row (`club.slug`).

    With `allow_null` it is null where one of the attributes is missing or None.
    """

    def __init__(
        self, function: Callable[..., str | None], *attributes: str, **kwargs: Any
    ) -> None:
        super().__init__(read_only=True, **kwargs)
        self.function, self.attributes = function, attributes

    def get_attribute(self, instance: Any) -> str | None:
        """The text. Raises `AttributeError` where an attribute is missing that must be there."""
        try:
            values = [get_attribute(instance, name.split(".")) for name in self.attributes]
        except (AttributeError, KeyError):
            if self.allow_null:
                return None
            raise
        return None if self.allow_null and None in values else self.function(*values)


class LinkField(FormattedField):
    """An address made by a function of `links`, and what follows it (`tail`)."""

    def __init__(
        self, link: Callable[..., str], *attributes: str, tail: str = "", **kwargs: Any
    ) -> None:
        super().__init__(lambda *values: link(*values) + tail, *attributes, **kwargs)


def none_if_empty(text: str) -> str | None:
    """A text that a model has empty where answers have null."""
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


def _is_text(value: Any) -> bool:
    """Tell whether a value can be sent back: half of a surrogate pair, which JSON lets one write,
    can't."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _faults(errors: Any, pointer: str = "") -> Iterator[dict[str, str]]:
    """The single faults of a serializer's errors, which may be nested."""
    if isinstance(errors, serializers.ErrorDetail):
        yield value_fault(pointer, str(errors), errors.code or "invalid")
    elif isinstance(errors, dict):
        for name, inner in errors.items():
            member = (
                ""
                if name == "non_field_errors"
                else "/" + str(name).replace("~", "~0").replace("/", "~1")
            )
            yield from _faults(inner, pointer + member)
    else:
        for number, inner in enumerate(errors):
            yield from _faults(inner, pointer if isinstance(inner, str) else f"{pointer}/{number}")


RowReader: TypeAlias = Callable[[Any], Any]


class RowSerializer(Serializer):
    """A row of a long list: each value is read by its field's `source`, and sent as it is stored.

    That takes a fourth of the time in which fields convert their values; 200 rows of a table hold
    3,000."""

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """The members of a row, read from its columns or from an object's attributes."""
        return {
            name: read(instance) for name, read in _members(type(self), isinstance(instance, dict))
        }


@cache
def _members(kind: type[RowSerializer], columns: bool) -> list[tuple[str, RowReader]]:
    """The members of such rows, each with what reads it from columns, or else from attributes."""
    fields = [field for field in kind().fields.values() if not field.write_only]
    return [
        (str(field.field_name), _member(field, itemgetter if columns else attrgetter))
        for field in fields
    ]


def _member(
    field: serializers.Field[Any, Any, Any, Any], getter: Callable[..., RowReader]
) -> RowReader:
    """Read a member of a row."""
    if isinstance(field, FormattedField):
        return _formatted(field.function, getter(*field.attributes), len(field.attributes))
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


def _formatted(function: Callable[..., str | None], read: RowReader, count: int) -> RowReader:
    """Make a text from so many values of a row."""
    if count == 1:
        return lambda row: None if (value := read(row)) is None else function(value)
    return lambda row: function(*read(row))
