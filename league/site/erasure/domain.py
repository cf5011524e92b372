"""Places at which something that people wrote tells the name of a player who is to be erased."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from re import Pattern
from typing import Final

AROUND: Final = 40
"""Characters that are shown on either side of a name."""


class Remedy(Enum):
    """All that can be done about a mention when the player is erased.

    A reason is removed, and so are words beside the log. In a text the pseudonym takes the place of
    the name. Messages and files are emptied in any case. Some texts can only be changed by hand,
    and before, as nobody knows the name afterwards; and what a digest has sealed stays."""

    REMOVED = "removed"
    REWRITTEN = "rewritten"
    EMPTIED = "emptied"
    BY_HAND = "by hand"
    SEALED = "sealed"


@dataclass(frozen=True, slots=True)
class Mention:
    """One place. `subject`: the public id that the log names it by, or the position of an entry of
    the log. `label`: what it is, in words; `url`: its page, or the page where it is changed; empty
    where there is none."""

    remedy: Remedy
    noun: str
    subject: str
    label: str
    excerpt: str
    url: str = ""

    @property
    def key(self) -> str:
        """Return what it is chosen by, among all mentions of a player."""
        return f"{self.noun}-{self.subject}"

    def __str__(self) -> str:
        return f"{self.label}: {self.excerpt}"

    @property
    def curable(self) -> bool:
        """True if the name goes from here with the player, unless somebody wants it to stay."""
        return self.remedy in (Remedy.REMOVED, Remedy.REWRITTEN)


def excerpt(text: str, names: Pattern[str]) -> str:
    """The part of a text around the first of these names; empty if it tells none."""
    match = names.search(text)
    if match is None:
        return ""
    start, end = max(0, match.start() - AROUND), match.end() + AROUND
    return (
        f"{'…' if start else ''}{' '.join(text[start:end].split())}{'…' if end < len(text) else ''}"
    )
