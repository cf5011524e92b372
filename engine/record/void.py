"""That a game doesn't count where it was entered: an export says so beside what is sealed, and no digest covers it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.record.reason import read_text
from engine.record.shape import Json, join, members, moment


@dataclass(frozen=True, slots=True)
class VoidMark:
    """When a game was voided, as it was written, and why; `reason` is empty where it was removed."""

    at: str
    reason: str = ""


def read_void(value: Json, path: str) -> VoidMark:
    """The mark that a record brings; raises `Refused`."""
    parts = members(value, path, ("at",), ("reason",))
    reason = read_text(parts["reason"], join(path, "reason")) if "reason" in parts else ""
    return VoidMark(moment(parts["at"], join(path, "at")), reason)


def void_json(mark: VoidMark) -> Json:
    """The mark as the record tells it."""
    return {"at": mark.at, **({"reason": mark.reason} if mark.reason else {})}
