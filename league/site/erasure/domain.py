"""Mentions: places where a text contains the name of a player who is to be erased."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from re import Pattern
from typing import Final

AROUND: Final = 40
"""Characters to show on either side of a name."""


class Remedy(Enum):
    """What happens to a mention when the player is erased.

    Reasons, and texts beside the log, are removed. In other texts the pseudonym replaces the name.
    Messages and files are emptied in any case. Some texts can only be changed by hand, before the
    erasure, since nobody knows the name afterwards. Texts that a digest has sealed stay.
    """

    REMOVED = "removed"
    REWRITTEN = "rewritten"
    EMPTIED = "emptied"
    BY_HAND = "by hand"
    SEALED = "sealed"


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention of a player to be erased. `subject`: the public id that the log uses, or the
    position of an entry of the log. `label`: the kind of the text; `url`: its page, or the page
    where it is changed, or empty."""

    remedy: Remedy
    noun: str
    subject: str
    label: str
    excerpt: str
    url: str = ""

    @property
    def key(self) -> str:
        """The key of the mention among all of a player, for forms."""
        return f"{self.noun}-{self.subject}"

    def __str__(self) -> str:
        return f"{self.label}: {self.excerpt}"

    @property
    def curable(self) -> bool:
        """Return True if the name is erased from here, unless somebody wants it to stay."""
        return self.remedy in (Remedy.REMOVED, Remedy.REWRITTEN)


def excerpt(text: str, name_pattern: Pattern[str]) -> str:
    """Return the part of a text around the first name that it contains; empty if it contains
    none."""
    match = name_pattern.search(text)
    if match is None:
        return ""
    start = max(0, match.start() - AROUND)
    end = match.end() + AROUND
    part = " ".join(text[start:end].split())
    if start:
        part = f"…{part}"
    if end < len(text):
        part = f"{part}…"
    return part
