"""What people write freely stands beside an entry, as their names do, so that it can be
forgotten."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

REASON: Final = "reason"
"""The place of an entry's reason among the words beside it."""


def texts_apart(
    payload: Mapping[str, Any], texts: Collection[str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """A payload without the texts of these keys, and the texts by their places; an empty one stays
    where it is.

    A text that stands in an object of the payload, such as `before`, has the place
    `description_before`."""
    rest: dict[str, Any] = {}
    words: dict[str, str] = {}
    for key, value in payload.items():
        if isinstance(value, Mapping):
            inner = {
                f"{name}_{key}": text for name, text in value.items() if _is_text(name, text, texts)
            }
            rest[key] = {name: part for name, part in value.items() if f"{name}_{key}" not in inner}
            words |= inner
        elif _is_text(key, value, texts):
            words[key] = value
        else:
            rest[key] = value
    return rest, words


def texts_back(payload: Mapping[str, Any], names: Mapping[str, Any] | None) -> dict[str, Any]:
    """A payload with the words that stand beside it, where they were before `texts_apart`;
    forgotten ones stay what the payload has: commitments."""
    whole = {
        key: dict(value) if isinstance(value, Mapping) else value for key, value in payload.items()
    }
    for place, (_, word) in (names or {}).items():
        name, _, outer = place.rpartition("_")
        if name and isinstance(whole.get(outer), dict):
            whole.pop(place, None)
            whole[outer][name] = word
        else:
            whole[place] = word
    return whole


def _is_text(key: str, value: object, texts: Collection[str]) -> bool:
    return key in texts and isinstance(value, str) and bool(value)


def naming(names: Iterable[str]) -> re.Pattern[str]:
    """Finds any of these names, at least one, in a text: in any capitals, and as a word: Al isn't
    found in Albert."""
    longest_first = sorted({name for name in names if name}, key=len, reverse=True)
    return re.compile(
        rf"(?<![^\W\d_])(?:{'|'.join(map(re.escape, longest_first))})(?![^\W\d_])", re.IGNORECASE
    )
