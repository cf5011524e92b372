"""The name and date of an event that is planned again."""

from __future__ import annotations

import re
from datetime import datetime
from math import ceil
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
"""Ordinal numbers at the start of names, in each language of the pages; the last one has no
successor."""
NUMBERED: Final = re.compile(r"^(.*\D)(\d{1,4})$")


def next_name(name: str, year: int) -> str:
    """Return the name of the next event, which takes place in `year`: “League night 3” is followed
    by “League night 4”, “Cup 2026” by “Cup” with that year, “First evening” by “Second evening”. A
    name without a number doesn't change."""
    numbered = NUMBERED.match(name)
    if not numbered:
        return _with_next_ordinal(name)
    number = int(numbered[2])
    is_year = year - 100 <= number <= year
    return f"{numbered[1]}{year if is_year else number + 1}"


def _with_next_ordinal(name: str) -> str:
    first, blank, rest = name.partition(" ")
    for ordinals in ORDINALS:
        words = [word.capitalize() if first[:1].isupper() else word for word in ordinals]
        if first in words[:-1]:
            return f"{words[words.index(first) + 1]}{blank}{rest}"
    return name


def next_date(event: Event, now: datetime) -> datetime:
    """Return the start of the next event: the first one still to come on the same weekday at the
    same time, at least a week after this event. Times are aware."""
    zone = ZoneInfo(event.club.timezone)
    days = (now.astimezone(zone).date() - event.starts_at.astimezone(zone).date()).days
    weeks = max(1, ceil(days / 7))
    return days_later(event.starts_at, 7 * weeks, zone)
