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
    """Split a payload: return the rest of it, and the texts with these keys by place. Empty texts
    stay in the payload.

    A text within an object of the payload, such as `description` in `before`, has the place
    `description_before`.
    """
    rest: dict[str, Any] = {}
    texts_by_place: dict[str, str] = {}
    for key, value in payload.items():
        if isinstance(value, Mapping):
            rest[key] = {}
            for name, inner_value in value.items():
                if _is_text(name, inner_value, texts):
                    texts_by_place[f"{name}_{key}"] = inner_value
                else:
                    rest[key][name] = inner_value
        elif _is_text(key, value, texts):
            texts_by_place[key] = value
        else:
            rest[key] = value
    return rest, texts_by_place


def texts_back(payload: Mapping[str, Any], names: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a payload with its texts back where they were before `texts_apart`. In place of
    forgotten texts it keeps the commitments."""
    whole: dict[str, Any] = {}
    for key, value in payload.items():
        whole[key] = dict(value) if isinstance(value, Mapping) else value
    for place, (_, text) in (names or {}).items():
        name, _, object_key = place.rpartition("_")
        if name and isinstance(whole.get(object_key), dict):
            whole.pop(place, None)
            whole[object_key][name] = text
        else:
            whole[place] = text
    return whole


def _is_text(key: str, value: object, texts: Collection[str]) -> bool:
    return key in texts and isinstance(value, str) and bool(value)


def naming(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of these names (at least one) as a whole word, ignoring case:
    it doesn't find Al in Albert."""
    longest_first = sorted({name for name in names if name}, key=len, reverse=True)
    return re.compile(
        rf"(?<![^\W\d_])(?:{'|'.join(map(re.escape, longest_first))})(?![^\W\d_])", re.IGNORECASE
    )
