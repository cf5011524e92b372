"""Strict validators for parsed JSON, shared by the games.

They raise `Refused` with the path of the faulty value. The readers of this package return the
`Illegal` in it.
"""

import re
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from typing import Final, TypeAlias, TypeVar

from engine.illegal import Illegal, Refused, quote
from engine.messages import Message, say

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
Object: TypeAlias = dict[str, Json]
T = TypeVar("T")

TEXT_LENGTH: Final = 64
"""The most characters of an id, a handle, a slug or a label."""
SAFE: Final = range(-(2**53) + 1, 2**53)
"""Ints that every JSON library reads alike."""
YEARS: Final = range(1900, 2101)
"""Years in which games are played; no time zone shifts them out of the calendar."""
DIGEST: Final = range(32, 33)
"""The number of bytes of a SHA-256 digest, as a range."""

_UNSTORABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_DIGITS: Final = frozenset("0123456789abcdef")
_SLUG: Final = re.compile(r"[A-Za-z0-9_-]+")
_TIMESTAMP: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ]"
    r"[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?"
    r"([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
)


def bad(path: str, template: str, **values: object) -> Refused:
    """Return the exception for a `bad_record` at `path`.

    `template`: its English sentence, in which the `values` stand by name in braces."""
    return Refused(Illegal("bad_record", Message.of(template, values), path=path))


def join(path: str, key: str) -> str:
    """Return the path of `key` inside the object at `path`."""
    if not path:
        return quote(key)
    return f"{path}.{quote(key)}"


def without_blanks(value: Object) -> Object:
    """Return the object without members that are null, false, or an empty text, list or object."""
    return {key: member for key, member in value.items() if member or type(member) in (int, float)}


def members(
    value: Json, path: str, required: Collection[str], optional: Collection[str]
) -> dict[str, Json]:
    """Return the JSON object `value` if it has all required keys, and others only if optional.

    Raise `Refused` with `unknown_key` or `bad_record`.
    """
    if not isinstance(value, dict):
        raise bad(path, "must be an object")
    for key in value:
        if key not in required and key not in optional:
            raise Refused(
                Illegal(
                    "unknown_key",
                    say("“{key}” isn't a key here", key=quote(key)),
                    path=join(path, key),
                )
            )
    for key in required:
        if key not in value:
            raise bad(join(path, key), "is missing")
    return value


def items(value: Json, path: str, size: range | None = None) -> list[Json]:
    """Return the JSON array `value`, whose length must be in `size` if that is given."""
    if not isinstance(value, list):
        raise bad(path, "must be a list")
    if size is not None and len(value) not in size:
        raise bad(
            path,
            "must have {wanted} entries, not {given}",
            wanted=_size_text(size),
            given=len(value),
        )
    return value


def each(
    value: Json, path: str, read: Callable[[Json, str], T], size: range | None = None
) -> tuple[T, ...]:
    """Return the entries of the JSON array `value`, each converted by `read(entry, path)`."""
    entries = items(value, path, size)
    return tuple([read(entry, f"{path}[{i}]") for i, entry in enumerate(entries)])


def _size_text(size: range) -> str:
    if len(size) == 1:
        return str(size[0])
    return say("{least} to {most}", least=size[0], most=size[-1])


def whole(value: Json, path: str, within: range = SAFE) -> int:
    """Return `value` if it is a whole number inside `within`; true and false aren't numbers."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise bad(path, "must be a whole number")
    if value not in within:
        raise bad(path, "must be from {least} to {most}", least=within[0], most=within[-1])
    return value


def wholes(value: Json, path: str, size: int) -> tuple[int, ...]:
    """Return a JSON array of `size` whole numbers."""
    return each(value, path, whole, range(size, size + 1))


def truth(value: Json, path: str) -> bool:
    """Return `value` if it is true or false."""
    if not isinstance(value, bool):
        raise bad(path, "must be true or false")
    return value


def hexadecimal(value: Json, path: str, size: range = DIGEST) -> bytes:
    """Return the bytes written as lower-case hexadecimal digits; their number must be in `size`."""
    if not isinstance(value, str) or len(value) % 2 or not _DIGITS.issuperset(value):
        raise bad(path, "must be hexadecimal: two of 0 to 9 and a to f for each byte")
    if len(value) // 2 not in size:
        raise bad(
            path,
            "must have {wanted} bytes, not {given}",
            wanted=_size_text(size),
            given=len(value) // 2,
        )
    return bytes.fromhex(value)


def one_of(value: Json, path: str, choices: Mapping[str, T]) -> T:
    """Return the value in `choices` under the text `value`."""
    if not isinstance(value, str) or value not in choices:
        raise bad(path, "must be one of {choices}", choices=", ".join(choices))
    return choices[value]


def text(value: Json, path: str) -> str:
    """Return a text of 1 to 64 characters without control characters and lone surrogates."""
    if not isinstance(value, str) or not value:
        raise bad(path, "must be a text that isn't empty")
    if len(value) > TEXT_LENGTH:
        raise bad(path, "must have at most {number} characters", number=TEXT_LENGTH)
    if _UNSTORABLE.search(value):
        raise bad(path, "must not contain control characters or half characters")
    return value


def slug(value: Json, path: str) -> str:
    """Return a text of letters, digits, hyphens and underscores."""
    short = text(value, path)
    if not _SLUG.fullmatch(short):
        raise bad(path, "must be a slug of letters, digits, hyphens and underscores")
    return short


def timestamp(value: Json, path: str) -> str:
    """Return a time by RFC 3339 with offset, as written; it must exist in the calendar.

    Raise `Refused` with `bad_record`, or `time_out_of_range` outside of the years 1900 to 2100.
    """
    time = _parsed_time(value)
    if time is None:
        raise bad(path, "must be an RFC 3339 time with an offset, as in 2026-09-01T19:30:00+02:00")
    if time.year not in YEARS or time.astimezone(UTC).year not in YEARS:
        raise Refused(
            Illegal(
                "time_out_of_range",
                say("must be in the years {first} to {last}", first=YEARS[0], last=YEARS[-1]),
                path=path,
            )
        )
    return str(value)


def _parsed_time(value: Json) -> datetime | None:
    if not isinstance(value, str) or len(value) > TEXT_LENGTH or not _TIMESTAMP.fullmatch(value):
        return None
    try:
        return datetime.fromisoformat(value.upper())
    except ValueError:
        return None
