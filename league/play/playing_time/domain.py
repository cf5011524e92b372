"""The clock of an account at turn-by-turn tables: when its time runs, and when it may be
notified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

HOLIDAYS_A_YEAR: Final = 21
"""The days of a calendar year on which an account's clocks may be stopped."""
AHEAD: Final = timedelta(days=366)
"""A holiday must end within this time."""
MOST_QUIET: Final = timedelta(hours=12)
"""The longest quiet hours of a day. A reminder that waits for their end makes a move longer."""
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Pause:
    """A time during which a clock is stopped."""

    begins_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class PlayerClock:
    """The clock of somebody who plays turn by turn: the time zone, the quiet hours in it (None
    without any), and the holidays.
    """

    zone: ZoneInfo
    quiet_from: time | None = None
    quiet_to: time | None = None
    holidays: Sequence[Pause] = ()

    def after(self, begun: datetime, span: timedelta) -> datetime:
        """Return when this much time has passed since `begun`, not counting holidays."""
        at = begun
        remaining = span
        for holiday in sorted(self.holidays, key=lambda pause: pause.begins_at):
            if holiday.ends_at <= at:
                continue
            time_before_holiday = max(holiday.begins_at - at, timedelta(0))
            if time_before_holiday >= remaining:
                break
            remaining -= time_before_holiday
            at = holiday.ends_at
        return at + remaining

    def earliest_notice(self, at: datetime) -> datetime:
        """Return `at`, or the end of the quiet hours and holidays that it falls into."""
        while True:
            later = self._holiday_end(self._quiet_end(at))
            if later == at:
                return at
            at = later

    def away_until(self, at: datetime) -> datetime | None:
        """Return when the current holiday ends, None outside of holidays."""
        end = self._holiday_end(at)
        return None if end == at else end

    def _holiday_end(self, at: datetime) -> datetime:
        for holiday in sorted(self.holidays, key=lambda pause: pause.begins_at):
            if holiday.begins_at <= at < holiday.ends_at:
                at = holiday.ends_at
        return at

    def _quiet_end(self, at: datetime) -> datetime:
        if self.quiet_from is None or self.quiet_to is None:
            return at
        local = at.astimezone(self.zone)
        if not _is_between(local.time(), self.quiet_from, self.quiet_to):
            return at
        day = local.date()
        ends_tomorrow = local.time() >= self.quiet_to
        if ends_tomorrow:
            day += DAY
        return datetime.combine(day, self.quiet_to, self.zone).astimezone(UTC)


def _is_between(now: time, first: time, last: time) -> bool:
    is_over_midnight = first > last
    if is_over_midnight:
        return now >= first or now < last
    return first <= now < last


def quiet_span(first: time, last: time) -> timedelta:
    """Return how long quiet hours from `first` to `last` are, which may go over midnight."""
    day = date(2000, 1, 1)
    span = datetime.combine(day, last) - datetime.combine(day, first)
    return span if span > timedelta(0) else span + DAY


def days_by_year(first: date, last: date) -> dict[int, int]:
    """Return by year how many days lie between `first` and `last`, both included."""
    days: dict[int, int] = {}
    for year in range(first.year, last.year + 1):
        begins = max(first, date(year, 1, 1))
        ends = min(last, date(year, 12, 31))
        days[year] = (ends - begins).days + 1
    return days
