"""Series of dates, such as "every second Thursday until March": their rules, and the dates of a
rule.

A rule is stored as text, an `RRULE` of RFC 5545. Only weekly rules with an end are allowed.
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
"""The longest interval between the weeks of a series."""
DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
RULE: Final = re.compile(
    r"FREQ=WEEKLY;INTERVAL=(?P<every>\d{1,2});BYDAY=(?P<days>[A-Z]{2}(?:,[A-Z]{2}){0,6})"
    r";(?:UNTIL=(?P<until>\d{8})T235959|COUNT=(?P<count>\d{1,3}))"
)


class BadSeries(ValueError):
    """A series is impossible; `message` says why, and can be translated."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class SeriesRule:
    """A rule: every `every` weeks on these weekdays (0 is Monday), until a day, which is included,
    or `count` times.
    """

    every: int
    weekdays: tuple[int, ...]
    until: date | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class SeriesDates:
    """The starts of the dates of a series, in order and aware; `notes`: messages on dates that the
    clocks move."""

    starts: list[datetime]
    notes: tuple[Message, ...] = ()


def rule_of(
    every: int, weekdays: Set[int], *, until: date | None = None, count: int | None = None
) -> str:
    """Return a rule as text: every `every` weeks on these weekdays (0 is Monday), until a day or
    `count` times.

    Raise `BadSeries` for an impossible rule, such as one without an end.
    """
    if not 1 <= every <= MOST_WEEKS:
        message = say(
            "a series repeats every 1 to {most} weeks, not every {every}",
            most=MOST_WEEKS,
            every=every,
        )
        raise BadSeries(message)
    if not weekdays or not weekdays <= set(range(7)):
        raise BadSeries(say("a series needs at least one weekday"))
    if (until is None) == (count is None):
        raise BadSeries(say("a series needs an end: a last day, or a number of dates"))
    if count is not None and not 1 <= count <= MOST_DATES:
        message = say("a series has 1 to {most} dates, not {count}", most=MOST_DATES, count=count)
        raise BadSeries(message)
    days = ",".join(DAYS[day] for day in sorted(weekdays))
    end = f"UNTIL={until:%Y%m%d}T235959" if until else f"COUNT={count}"
    return f"FREQ=WEEKLY;INTERVAL={every};BYDAY={days};{end}"


def read_rule(rule: str) -> SeriesRule:
    """Return the rule that `rule_of` wrote. Raise `BadSeries` for any other text."""
    bad_rule = BadSeries(say("this isn't a rule for a series"))
    match = RULE.fullmatch(rule)
    if match is None:
        raise bad_rule
    days = match["days"].split(",")
    if not set(days) <= set(DAYS):
        raise bad_rule
    until = None
    if match["until"]:
        try:
            until = datetime.strptime(match["until"], "%Y%m%d").replace(tzinfo=UTC).date()
        except ValueError:
            raise bad_rule from None
    weekdays = tuple(DAYS.index(day) for day in days)
    count = int(match["count"]) if match["count"] else None
    parsed = SeriesRule(int(match["every"]), weekdays, until, count)
    if rule_of(parsed.every, set(weekdays), until=until, count=count) != rule:
        raise bad_rule
    return parsed


def dates(
    rule: str, starts: datetime, zone: ZoneInfo, exceptions: Set[date] = frozenset()
) -> SeriesDates:
    """Return the dates of a rule, from `starts` on, a time of the club's clock without a zone.

    The clock shows the same time in summer and winter. If clocks skip a time in spring, the date
    starts later by as much, with a note; in an hour that is repeated in autumn it starts the first
    time. `exceptions` are days without a date, which a `COUNT` still counts. Raise `BadSeries` for
    no date at all, or more than 200.
    """
    read_rule(rule)
    first = starts.replace(microsecond=0, tzinfo=None)
    clock_times = list(islice(rrulestr(rule, dtstart=first), MOST_DATES + 1))
    if len(clock_times) > MOST_DATES:
        raise BadSeries(say("a series has at most {most} dates: end it earlier", most=MOST_DATES))

    moments = []
    notes = []
    for clock_time in clock_times:
        if clock_time.date() in exceptions:
            continue
        # A time that is skipped comes back from UTC as a later one.
        moment = clock_time.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)
        if moment.replace(tzinfo=None) != clock_time:
            notes.append(_skipped_time_note(clock_time, moment))
        moments.append(moment)
    if not moments:
        raise BadSeries(say("this series has no dates: does it end before it starts?"))
    return SeriesDates(moments, tuple(notes))


def days_later(moment: datetime, days: int, zone: ZoneInfo) -> datetime:
    """Return the moment this many days later at which the clocks of a zone show the same time.

    If the clocks skip that time, the moment is later by as much as they skip; in a repeated hour it
    is the first of both.
    """
    clock_time = moment.astimezone(zone).replace(tzinfo=None, fold=0) + timedelta(days=days)
    return clock_time.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)


def times_later(times: Mapping[str, datetime], days: int, zone: ZoneInfo) -> dict[str, datetime]:
    """Return the times of an event, including its `starts_at`, this many days later on the clocks
    of a zone.

    If skipped or repeated hours would change their order, for example put the end before the
    beginning, all times keep their distance from the beginning.
    """
    later = {name: days_later(moment, days, zone) for name, moment in times.items()}
    if _ranks(later) == _ranks(times):
        return later
    start = times["starts_at"].astimezone(UTC)
    later_start = later["starts_at"].astimezone(UTC)
    shifted = {}
    for name, moment in times.items():
        distance = moment.astimezone(UTC) - start
        shifted[name] = (later_start + distance).astimezone(zone)
    return shifted


def _ranks(times: Mapping[str, datetime]) -> dict[str, int]:
    """Return how many of the times come before each, to compare their order."""
    moments = {name: moment.astimezone(UTC) for name, moment in times.items()}
    ranks = {}
    for name, moment in moments.items():
        ranks[name] = sum(other < moment for other in moments.values())
    return ranks


def _skipped_time_note(clock_time: datetime, moment: datetime) -> Message:
    return say(
        "on {day} the clocks go forward and skip {wanted}: that date starts at {starts}",
        day=clock_time.date(),
        wanted=f"{clock_time:%H:%M}",
        starts=f"{moment:%H:%M}",
    )


def rule_words(rule: str, language: str) -> str:
    """Return a rule in words of a language: "every second Thursday until 26 March 2027"."""
    parsed = read_rule(rule)
    with translation.override(language):
        words = _interval_words(parsed)
        if parsed.until:
            day = date_format(parsed.until, pgettext("day, month and year in words", "j F Y"))
            return gettext("%(series)s until %(day)s") % {"series": words, "day": day}
        count = parsed.count or 0
        times = ngettext("%(count)d time", "%(count)d times", count) % {"count": count}
        return f"{words}, {times}"


def _interval_words(rule: SeriesRule) -> str:
    *first, last = [str(WEEKDAYS[day]) for day in rule.weekdays]
    days = last
    if first:
        days = gettext("%(days)s and %(last)s") % {"days": ", ".join(first), "last": last}
    if rule.every == 1:
        return gettext("every %(days)s") % {"days": days}
    if rule.every == 2 and not first:
        return gettext("every second %(day)s") % {"day": days}
    words = gettext("every %(weeks)d weeks on %(days)s")
    return words % {"weeks": rule.every, "days": days}
