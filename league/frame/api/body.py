"""Bodies of requests: one JSON object whose members are known; whatever isn't in order is named by its place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from rest_framework import serializers

from engine.illegal import Illegal, quote
from engine.record.record import parse
from league.frame.api.problems import Problem

SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")


class Body(serializers.Serializer[None]):
    """The members that a body may have. An unknown one is refused, within lists and objects too."""

    def to_internal_value(self, data: Any) -> Any:
        """The members, read. Raises `ValidationError`."""
        unknown = [str(name) for name in data if name not in self.fields] if isinstance(data, dict) else []
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
        given = cls(data=value, partial=partial)
        if not given.is_valid():
            raise bad_value(list(_faults(given.errors)))
        return dict(given.validated_data)


def several(body: type[Body], *, least: int, most: int) -> serializers.ListSerializer[None]:
    """A member that is a list of so many such objects."""
    return serializers.ListSerializer(child=body(), min_length=least, max_length=most)


def bad_value(faults: list[dict[str, str]]) -> Problem:
    """A 400 for members of a body that aren't as they should be, each with its `pointer`."""
    return Problem(HTTPStatus.BAD_REQUEST, "bad_value", faults[0]["message"], errors=faults)


def value_fault(pointer: str, message: str, code: str = "invalid") -> dict[str, str]:
    """What is wrong with a member, by its JSON pointer (RFC 6901); the empty one is the whole body."""
    return {"pointer": pointer, "code": code, "message": message}


def refused_value(error: ValidationError, *, below: str = "") -> Problem:
    """What a service found wrong: by field where it says so. `below` is the pointer of what it was given."""
    if not hasattr(error, "error_dict"):
        return bad_value([value_fault(below, message) for message in error.messages])
    faults = [
        value_fault(below if name == NON_FIELD_ERRORS else f"{below}/{name}", message)
        for name, messages in error.message_dict.items()
        for message in messages
    ]
    return bad_value(faults)


def _is_text(value: Any) -> bool:
    """Whether a value can be sent back: half of a surrogate pair, which JSON lets one write, can't."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _faults(found: Any, pointer: str = "") -> Iterator[dict[str, str]]:
    """The single faults of a serializer's errors, which may be nested."""
    if isinstance(found, serializers.ErrorDetail):
        yield value_fault(pointer, str(found), found.code or "invalid")
    elif isinstance(found, dict):
        for name, inner in found.items():
            whole = name == "non_field_errors"
            yield from _faults(inner, pointer if whole else f"{pointer}/{_escaped(str(name))}")
    else:
        for number, inner in enumerate(found):
            yield from _faults(inner, pointer if isinstance(inner, str) else f"{pointer}/{number}")


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
