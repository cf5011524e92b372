"""An event once more: what the next one is called, and when it begins."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from league.events.domain.recurrence import days_later
from league.events.models import Event

NUMBERED: Final = re.compile(r"^(.*\D)(\d{1,4})$")


def next_name(name: str, year: int) -> str:
    """The name of the next event, which is in that year: of “League night 3” it is “League night 4”, of “Cup 2026” that
    year’s cup; one without a number stays."""
    numbered = NUMBERED.match(name)
    if not numbered:
        return name
    return f"{numbered[1]}{year if int(numbered[2]) in range(year - 100, year + 1) else int(numbered[2]) + 1}"


def next_date(event: Event, now: datetime) -> datetime:
    """When the next event would begin: on the same weekday at the same time, the first that is still to come, at the
    earliest a week later. Times are aware."""
    zone = ZoneInfo(event.club.timezone)
    today = now.astimezone(zone).date()
    weeks = max(1, -(-(today - event.starts_at.astimezone(zone).date()).days // 7))
    return days_later(event.starts_at, 7 * weeks, zone)
