"""Series of dates, such as "every second Thursday until March": rules as calendars write them, and
what they come to.

A rule is kept as text, the `RRULE` of RFC 5545: weekly ones alone, with an end.
"""

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Final
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr
from django.utils import translation
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext, pgettext

from engine.messages import Message, say

MOST_DATES: Final = 200
MOST_WEEKS: Final = 52
"""The longest way from one week of a series to its next."""
DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
RULE: Final = re.compile(
    r"FREQ=WEEKLY;INTERVAL=(?P<every>\d{1,2});BYDAY=(?P<days>[A-Z]{2}(?:,[A-Z]{2}){0,6})"
    r";(?:UNTIL=(?P<until>\d{8})T235959|COUNT=(?P<count>\d{1,3}))"
)


class BadSeries(ValueError):
    """A series that can't be; `message` says why, and can be translated."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class SeriesRule:
    """Every so many weeks on these weekdays (0 is Monday), until a day, that day included, or so
    many times."""

    every: int
    weekdays: tuple[int, ...]
    until: date | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class SeriesDates:
    """When the dates of a series start, in order and aware; `notes` says which of them the clocks
    moved."""

    starts: list[datetime]
    notes: tuple[Message, ...] = ()


def rule_of(
    every: int, weekdays: Set[int], *, until: date | None = None, count: int | None = None
) -> str:
    """The rule as text: every so many weeks on these weekdays (0 is Monday), until a day or so many
    times.

    BadSeries for a rule that can't be, such as one without an end.
    """
    if not 1 <= every <= MOST_WEEKS:
        raise BadSeries(
            say(
                "a series repeats every 1 to {most} weeks, not every {every}",
                most=MOST_WEEKS,
                every=every,
            )
        )
    if not weekdays or not weekdays <= set(range(7)):
        raise BadSeries(say("a series needs at least one weekday"))
    if (until is None) == (count is None):
        raise BadSeries(say("a series needs an end: a last day, or a number of dates"))
    if count is not None and not 1 <= count <= MOST_DATES:
        raise BadSeries(
            say("a series has 1 to {most} dates, not {count}", most=MOST_DATES, count=count)
        )
    days = ",".join(DAYS[day] for day in sorted(weekdays))
    end = f"UNTIL={until:%Y%m%d}T235959" if until else f"COUNT={count}"
    return f"FREQ=WEEKLY;INTERVAL={every};BYDAY={days};{end}"


def read_rule(rule: str) -> SeriesRule:
    """The rule that `rule_of` wrote; BadSeries for any other text."""
    match = RULE.fullmatch(rule)
    if not match or not set(days := match["days"].split(",")) <= set(DAYS):
        raise BadSeries(say("this is no rule of a series"))
    try:
        until = (
            datetime.strptime(match["until"], "%Y%m%d").replace(tzinfo=UTC).date()
            if match["until"]
            else None
        )
    except ValueError:
        raise BadSeries(say("this is no rule of a series")) from None
    weekdays = tuple(DAYS.index(day) for day in days)
    read = SeriesRule(
        int(match["every"]), weekdays, until, int(match["count"]) if match["count"] else None
    )
    if rule_of(read.every, set(weekdays), until=until, count=read.count) != rule:
        raise BadSeries(say("this is no rule of a series"))
    return read


def dates(
    rule: str, starts: datetime, zone: ZoneInfo, exceptions: Set[date] = frozenset()
) -> SeriesDates:
    """Tell when the dates of a rule start, from `starts` on, a time of the club's clock without a
    zone.

    The clock shows the same time in summer and winter. A time that the clocks skip in spring is as
    much later as they go forward, and a note says so; of an hour that autumn repeats it is the
    first. `exceptions` are days without a date; they are among those that a `COUNT` counts.
    BadSeries for no date at all, or more than 200."""
    read_rule(rule)
    clock = list(
        islice(rrulestr(rule, dtstart=starts.replace(microsecond=0, tzinfo=None)), MOST_DATES + 1)
    )
    if len(clock) > MOST_DATES:
        raise BadSeries(say("a series has at most {most} dates: end it earlier", most=MOST_DATES))
    moments, notes = [], []
    for clock_time in (moment for moment in clock if moment.date() not in exceptions):
        moment_kept = clock_time.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)
        if moment_kept.replace(tzinfo=None) != clock_time:
            notes.append(_moved(clock_time, moment_kept))
        moments.append(moment_kept)
    if not moments:
        raise BadSeries(say("there is no date in this series: does it end before it starts?"))
    return SeriesDates(moments, tuple(notes))


def days_later(moment: datetime, days: int, zone: ZoneInfo) -> datetime:
    """The moment so many days later at which the clocks of a zone show the same time.

    A time that the clocks skip is as much later as they go forward; of an hour that they repeat it
    is the first."""
    clock_time = moment.astimezone(zone).replace(tzinfo=None, fold=0) + timedelta(days=days)
    return clock_time.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)


def times_later(times: Mapping[str, datetime], days: int, zone: ZoneInfo) -> dict[str, datetime]:
    """The times of an event, its `starts_at` among them, so many days later on the clocks of a
    zone.

    Where the clocks skip or repeat one of them so that they would no longer stand in the same
    order, an end before the beginning, say, all keep their distance from the beginning."""
    later = {name: days_later(moment, days, zone) for name, moment in times.items()}
    if _order(later) == _order(times):
        return later
    start, later_start = times["starts_at"].astimezone(UTC), later["starts_at"].astimezone(UTC)
    return {
        name: (later_start + (moment.astimezone(UTC) - start)).astimezone(zone)
        for name, moment in times.items()
    }


def _order(times: Mapping[str, datetime]) -> dict[str, int]:
    """How many of the times come before each of them."""
    moments = {name: moment.astimezone(UTC) for name, moment in times.items()}
    return {
        name: sum(other < moment for other in moments.values()) for name, moment in moments.items()
    }


def _moved(clock_time: datetime, moment_kept: datetime) -> Message:
    """A note about a time that the clocks skip."""
    return say(
        "on {day} the clocks go forward and skip {wanted}: that date starts at {starts}",
        day=clock_time.date(),
        wanted=f"{clock_time:%H:%M}",
        starts=f"{moment_kept:%H:%M}",
    )


def rule_words(rule: str, language: str) -> str:
    """A rule as one reads it, in a language: "every second Thursday until 26 March 2027"."""
    read = read_rule(rule)
    with translation.override(language):
        *first, last = [str(WEEKDAYS[day]) for day in read.weekdays]
        days = (
            gettext("%(days)s and %(last)s") % {"days": ", ".join(first), "last": last}
            if first
            else last
        )
        if read.every == 1:
            words = gettext("every %(days)s") % {"days": days}
        elif read.every == 2 and not first:
            words = gettext("every second %(day)s") % {"day": days}
        else:
            words = gettext("every %(weeks)d weeks on %(days)s") % {
                "weeks": read.every,
                "days": days,
            }
        if read.until:
            day = date_format(read.until, pgettext("day, month and year in words", "j F Y"))
            return gettext("%(series)s until %(day)s") % {"series": words, "day": day}
        count = read.count or 0
        times = ngettext("%(count)d time", "%(count)d times", count) % {"count": count}
        return f"{words}, {times}"
