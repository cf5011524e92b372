"""The clock of an account at turn-by-turn tables: when its time runs, and when it may be told
something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

HOLIDAYS_A_YEAR: Final = 21
"""Days of a calendar year on which an account's clocks may stand still."""
AHEAD: Final = timedelta(days=366)
"""A holiday ends within this time."""
MOST_QUIET: Final = timedelta(hours=12)
"""Quiet hours a day at most: a reminder that waits for their end makes a move longer."""
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Pause:
    """A time in which a clock stands still."""

    begins_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class PlayerClock:
    """The clock of somebody who plays turn by turn: the time zone, the quiet hours there (None:
    there are none), and the holidays."""

    zone: ZoneInfo
    quiet_from: time | None = None
    quiet_to: time | None = None
    holidays: Sequence[Pause] = ()

    def after(self, begun: datetime, span: timedelta) -> datetime:
        """Return when so much time has run since `begun`; in a holiday none does."""
        at = begun
        left = span
        for holiday in sorted(self.holidays, key=lambda each: each.begins_at):
            if holiday.ends_at <= at:
                continue
            runs = max(holiday.begins_at - at, timedelta(0))
            if runs >= left:
                break
            left -= runs
            at = holiday.ends_at
        return at + left

    def may_be_told(self, at: datetime) -> datetime:
        """Return `at`, or the end of the quiet hours and holidays in which it lies."""
        while True:
            later = self._holiday_end(self._quiet_end(at))
            if later == at:
                return at
            at = later

    def away_until(self, at: datetime) -> datetime | None:
        """Return when the holiday ends that goes on; None without one."""
        end = self._holiday_end(at)
        return None if end == at else end

    def _holiday_end(self, at: datetime) -> datetime:
        for holiday in sorted(self.holidays, key=lambda each: each.begins_at):
            if holiday.begins_at <= at < holiday.ends_at:
                at = holiday.ends_at
        return at

    def _quiet_end(self, at: datetime) -> datetime:
        first, last = self.quiet_from, self.quiet_to
        if first is None or last is None:
            return at
        local = at.astimezone(self.zone)
        now = local.time()
        begun = now >= first
        not_over = now < last
        over_midnight = first > last
        is_quiet = (begun or not_over) if over_midnight else (begun and not_over)
        if not is_quiet:
            return at
        day = local.date() if now < last else local.date() + DAY
        return datetime.combine(day, last, self.zone).astimezone(UTC)


def quiet_span(first: time, last: time) -> timedelta:
    """Return how long quiet hours are that go from `first` to `last`, perhaps over midnight."""
    day = date(2000, 1, 1)
    span = datetime.combine(day, last) - datetime.combine(day, first)
    return span if span > timedelta(0) else span + DAY


def days_by_year(first: date, last: date) -> dict[int, int]:
    """Return how many days from `first` to `last`, both included, lie in each year."""
    days: dict[int, int] = {}
    for year in range(first.year, last.year + 1):
        begins = max(first, date(year, 1, 1))
        ends = min(last, date(year, 12, 31))
        days[year] = (ends - begins).days + 1
    return days
