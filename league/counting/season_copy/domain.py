"""An event once more: what the next one is called, and when it begins."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from league.events.event.models import Event
from league.events.series.domain import days_later

ENGLISH: Final = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
GERMAN: Final = "erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft"
DUTCH: Final = (
    "eerste tweede derde vierde vijfde zesde zevende achtste negende tiende elfde twaalfde"
)
ORDINALS: Final = (
    ENGLISH.split(),
    *([f"{stem}{ending}" for stem in GERMAN.split()] for ending in ("er", "e", "es")),
    DUTCH.split(),
)
"""How names count in words, in each language that pages have; the last of each is the end of it."""
NUMBERED: Final = re.compile(r"^(.*\D)(\d{1,4})$")


def next_name(name: str, year: int) -> str:
    """The name of the next event, which is in that year: of “League night 3” it is “League night
    4”, of “Cup 2026” that year’s cup, of “First evening” the “Second evening”; one that counts
    nothing stays."""
    numbered = NUMBERED.match(name)
    if not numbered:
        return _next_ordinal(name)
    return f"{numbered[1]}{year if int(numbered[2]) in range(year - 100, year + 1) else int(numbered[2]) + 1}"


def _next_ordinal(name: str) -> str:
    """The name with its first word counted on, as far as that is written in words."""
    first, blank, rest = name.partition(" ")
    for ordinals in ORDINALS:
        words = [word.capitalize() if first[:1].isupper() else word for word in ordinals]
        if first in words[:-1]:
            return f"{words[words.index(first) + 1]}{blank}{rest}"
    return name


def next_date(event: Event, now: datetime) -> datetime:
    """When the next event would begin: on the same weekday at the same time, the first that is
    still to come, at the earliest a week later. Times are aware."""
    zone = ZoneInfo(event.club.timezone)
    today = now.astimezone(zone).date()
    weeks = max(1, -(-(today - event.starts_at.astimezone(zone).date()).days // 7))
    return days_later(event.starts_at, 7 * weeks, zone)
