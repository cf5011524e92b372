"""Free texts and names in payloads: they are stored beside the entry, so that they can be
forgotten."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

REASON: Final = "reason"
"""The place of an entry's reason."""


def texts_apart(
    payload: Mapping[str, Any], texts: Collection[str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Split a payload: return the rest, and the texts with these keys by place. Empty texts stay in
    the payload.

    A text within an object of the payload, such as `before`, has the place `description_before`.
    """
    rest: dict[str, Any] = {}
    words: dict[str, str] = {}
    for key, value in payload.items():
        if isinstance(value, Mapping):
            rest[key] = {}
            for name, part in value.items():
                if _is_text(name, part, texts):
                    words[f"{name}_{key}"] = part
                else:
                    rest[key][name] = part
        elif _is_text(key, value, texts):
            words[key] = value
        else:
            rest[key] = value
    return rest, words


def texts_back(payload: Mapping[str, Any], names: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a payload with its words back in their places, before `texts_apart`. For forgotten
    ones the commitments stay."""
    whole: dict[str, Any] = {}
    for key, value in payload.items():
        whole[key] = dict(value) if isinstance(value, Mapping) else value
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
    """Return a pattern that finds any of these names as a whole word, ignoring case: Al isn't found
    in Albert. At least one name must be given."""
    longest_first = sorted({name for name in names if name}, key=len, reverse=True)
    return re.compile(
        rf"(?<![^\W\d_])(?:{'|'.join(map(re.escape, longest_first))})(?![^\W\d_])", re.IGNORECASE
    )
