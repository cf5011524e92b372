"""Serializers of nouns: one class reads a body, writes an answer and describes both; a fault is named by its place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from http import HTTPStatus
from typing import Any, Final, TypeVar

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db.models import Model
from rest_framework import serializers

from engine.illegal import Illegal, quote
from engine.record.record import parse
from league.frame.api.problems import Problem

CODES: Final = ("reason_needed",)
"""Codes of services that stand in answers."""
SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")


M = TypeVar("M", bound=Model)
R = TypeVar("R", bound=Any)


class Serializer(serializers.Serializer[Any]):
    """A noun of the API. Its answers hold every member; a body may hold those that aren't read-only, and no others.

    A member that is called as a builtin is declared with an underscore behind its name: `round_`.
    """

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """The fields, by the names of their members."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}

    def to_internal_value(self, data: Any) -> Any:
        """The members of a body, read. Raises `ValidationError`, also for unknown ones, however deep they stand."""
        names = [field.field_name for field in self.fields.values() if not field.read_only]
        unknown = [str(name) for name in data if name not in names] if isinstance(data, dict) else []
        if unknown:
            fault = serializers.ErrorDetail("There is no such member.", "unknown_member")
            raise serializers.ValidationError({quote(name): [fault] for name in unknown[:20]})
        return super().to_internal_value(data)

    @classmethod
    def of(cls, content: bytes, *, partial: bool = False) -> dict[str, Any]:
        """The members of a body, defaults filled in unless it is `partial`. Raises problems 400."""
        value = parse(content)
        if isinstance(value, Illegal):
            raise Problem(HTTPStatus.BAD_REQUEST, "parse_error", value.message)
        if SURROGATE.search(content) and not _is_text(value):
            raise Problem(HTTPStatus.BAD_REQUEST, "parse_error", "A text holds half of a surrogate pair.")
        serializer = cls(data=value, partial=partial)
        if not serializer.is_valid():
            raise bad_value(list(_faults(serializer.errors)))
        return dict(serializer.validated_data)


class ModelSerializer(Serializer, serializers.ModelSerializer[M]):
    """A noun whose members are those of a model, with the model's limits. Services store it, never the serializer.

    Its `id` is the public id; nobody outside hears of the others.
    """

    def build_field(self, field_name: str, *args: Any) -> tuple[type[Any], dict[str, Any]]:
        """The class and the options of a member that isn't declared."""
        if field_name == "id":
            return serializers.CharField, {"source": "public_id", "read_only": True}
        return super().build_field(field_name, *args)


class Body(Serializer):
    """The members of a request alone."""


def several(body: type[Serializer], *, least: int, most: int) -> serializers.ListSerializer[None]:
    """A member that is a list of so many such objects."""
    return serializers.ListSerializer(child=body(), min_length=least, max_length=most)


def bad_value(faults: list[dict[str, str]]) -> Problem:
    """A 400 for members of a body that aren't as they should be, each with its `pointer`."""
    return Problem(HTTPStatus.BAD_REQUEST, "bad_value", faults[0]["message"], errors=faults)


def value_fault(pointer: str, message: str, code: str = "invalid") -> dict[str, str]:
    """A fault of a member, by its JSON pointer (RFC 6901); the empty one is the whole body."""
    return {"pointer": pointer, "code": code, "message": message}


def named(rows: Iterable[R], ids: Sequence[str], pointer: str, message: str, code: str) -> list[R]:
    """The rows whose public ids a member of the body lists. Raises a problem 400 that names each that isn't there."""
    by_id = {row.public_id: row for row in rows}
    faults = [value_fault(f"{pointer}/{place}", message, code) for place, pk in enumerate(ids) if pk not in by_id]
    if faults:
        raise bad_value(faults)
    return [by_id[public_id] for public_id in ids]


def refused_value(error: ValidationError, *, below: str = "") -> Problem:
    """The faults that a service found: by field where it says so. `below` is the pointer of what it was given."""
    if not hasattr(error, "error_dict"):
        return bad_value([value_fault(below, message) for message in error.messages])
    faults = [
        value_fault(below if name == NON_FIELD_ERRORS else f"{below}/{name}", message, _code(fault))
        for name, field_faults in error.error_dict.items()
        for fault in field_faults
        for message in fault.messages
    ]
    return bad_value(faults)


def _code(fault: ValidationError) -> str:
    """The code of a fault that a service found: its own where programs are to know it, else `invalid`."""
    return fault.code if fault.code in CODES else "invalid"


def _is_text(value: Any) -> bool:
    """Tell whether a value can be sent back: half of a surrogate pair, which JSON lets one write, can't."""
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
            whole = name == "non_field_errors"
            yield from _faults(inner, pointer if whole else f"{pointer}/{_escaped(str(name))}")
    else:
        for number, inner in enumerate(errors):
            yield from _faults(inner, pointer if isinstance(inner, str) else f"{pointer}/{number}")


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
