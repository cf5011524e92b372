"""Feeds of dates that calendars subscribe to (RFC 5545, RFC 7986): the same dates always give the
same bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from django.utils.encoding import iri_to_uri

from league.core.log.columns import columns_of
from league.events.event.models import Event

if TYPE_CHECKING:
    from icalendar import Event as CalendarEntry
    from icalendar import Timezone

REFRESH: Final = timedelta(hours=1)
USUAL: Final = timedelta(hours=3)
"""So long a date lasts in calendars if nobody has said when it ends."""
SECOND: Final = timedelta(seconds=1)
CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]")
"""Characters that a text of a calendar must not have (RFC 5545, section 3.1), and line ends that
some programs see."""


@dataclass(frozen=True, slots=True)
class CalendarDate:
    """One date of a feed.

    `uid` never changes and names it; `sequence` grows with each change that a calendar has to take
    over, and `changed_at` is when the last one was. `zone` is the club's, whatever zones the times
    come in; all of them are aware. An end that isn't after the start is left out, and one that is
    left out is `USUAL` later."""

    uid: str
    sequence: int
    title: str
    starts_at: datetime
    zone: ZoneInfo
    changed_at: datetime
    ends_at: datetime | None = None
    venue: str = ""
    description: str = ""
    url: str = ""
    cancelled: bool = False


def feed(name: str, url: str, dates: Sequence[CalendarDate]) -> bytes:
    """The calendar of these dates, in their order, under a name; `url` is the page that shows the
    same."""
    from icalendar import Calendar, vDuration  # eighty modules: for who asks for a feed

    calendar = Calendar()
    calendar.add("PRODID", "-//Cups Up//Cups Up//EN")
    calendar.add("VERSION", "2.0")
    calendar.add("CALSCALE", "GREGORIAN")
    calendar.add("METHOD", "PUBLISH")
    for key in ("NAME", "X-WR-CALNAME"):
        calendar.add(key, _line(name))
    calendar.add("URL", iri_to_uri(url))
    calendar.add("REFRESH-INTERVAL", REFRESH, parameters={"VALUE": "DURATION"})
    calendar.add("X-PUBLISHED-TTL", vDuration(REFRESH))
    for _, zone in sorted({date.zone.key: date.zone for date in dates}.items()):
        calendar.add_component(_zone(zone, dates))
    for date in dates:
        calendar.add_component(_entry(date))
    return bytes(calendar.to_ical())


def _entry(date: CalendarDate) -> CalendarEntry:
    """One date as a calendar has it."""
    from icalendar import Event as CalendarEntry

    entry = CalendarEntry()
    entry.add("UID", f"{_line(date.uid)}@cups-up")
    entry.add("SEQUENCE", date.sequence)
    for key in ("DTSTAMP", "LAST-MODIFIED"):
        entry.add(key, date.changed_at.astimezone(UTC).replace(microsecond=0))
    moments = _moments(date)
    for key, moment in zip(("DTSTART", "DTEND"), moments, strict=False):
        entry.add(key, moment)
    if len(moments) == 1:
        entry.add("DURATION", USUAL)
    entry.add("SUMMARY", _line(date.title))
    entry.add("STATUS", "CANCELLED" if date.cancelled else "CONFIRMED")
    texts = {
        "LOCATION": _line(date.venue),
        "DESCRIPTION": _text(date.description),
        "URL": iri_to_uri(date.url),
    }
    for key, text in texts.items():
        if text:
            entry.add(key, text)
    return entry


def _moments(date: CalendarDate) -> list[datetime]:
    """Start and end as the clock in the club's zone shows them.

    A time of the hour that autumn repeats is always the first one in a calendar (RFC 5545, section
    3.3.5), so a date that needs the second one is in UTC."""
    moments = [moment.astimezone(UTC) for moment in (date.starts_at, date.ends_at) if moment]
    moments = moments[:1] if moments[-1] <= moments[0] else moments
    local = [moment.astimezone(date.zone) for moment in moments]
    return moments if any(moment.fold for moment in local) else local


def _zone(zone: ZoneInfo, dates: Sequence[CalendarDate]) -> Timezone:
    """Tell when the clocks change in a zone, from the year before its dates to the year after.

    Our own, as `icalendar.Timezone.from_tzinfo` (7.3) has the clocks go forward an hour late: the
    time of a change is that of the clock before it (RFC 5545, section 3.6.5)."""
    starts = [date.starts_at.astimezone(UTC) for date in dates if date.zone.key == zone.key]
    first = datetime(min(starts).year - 1, 1, 1, tzinfo=UTC)
    last = datetime(max(starts).year + 2, 1, 1, tzinfo=UTC)
    from icalendar import Timezone, TimezoneDaylight, TimezoneStandard

    component = Timezone()
    component.add("TZID", zone.key)
    for change in (first, *_changes(zone, first, last)):
        before, after = (change - SECOND).astimezone(zone), change.astimezone(zone)
        observance = TimezoneDaylight() if after.dst() else TimezoneStandard()
        observance.add("DTSTART", change.replace(tzinfo=None) + (before.utcoffset() or timedelta()))
        observance.add("TZOFFSETFROM", before.utcoffset())
        observance.add("TZOFFSETTO", after.utcoffset())
        observance.add("TZNAME", after.tzname())
        component.add_component(observance)
    return component


def _changes(zone: ZoneInfo, first: datetime, last: datetime) -> Iterator[datetime]:
    """The moments in UTC from which another offset holds, to the second; one a day at most."""
    day = first
    while day < last:
        low, high = day, day + timedelta(days=1)
        if _offset(zone, low) != _offset(zone, high):
            while high - low > SECOND:
                middle = low + (high - low) // 2
                low, high = (
                    (middle, high) if _offset(zone, middle) == _offset(zone, day) else (low, middle)
                )
            yield high.replace(microsecond=0)
        day += timedelta(days=1)


def _offset(zone: ZoneInfo, moment: datetime) -> timedelta | None:
    return moment.astimezone(zone).utcoffset()


def _text(text: str) -> str:
    """A text of several lines, with nothing in it that can't be printed."""
    return CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _line(text: str) -> str:
    """A text in one line."""
    return " ".join(_text(text).split())


PLACED: Final = ("slug", "name", "status", "starts_at", "ends_at", "venue", "description")
"""What calendars show of an event in places of its own."""
NOTES: Final = (
    "description",
    *(name for name in columns_of(Event, "in_calendar") if name not in PLACED),
)
"""What stands in the description of a date, each in a paragraph: all that calendars show and have
no place for."""


def dates_of(events: list[Event], url: Callable[[Event], str]) -> list[CalendarDate]:
    """The events as calendars show them; `url` gives the full address of an event's page."""
    return [
        CalendarDate(
            uid=event.public_id,
            sequence=event.changes,
            title=event.name,
            starts_at=event.starts_at,
            zone=ZoneInfo(event.club.timezone),
            changed_at=event.changed_at,
            ends_at=event.ends_at,
            venue=event.venue,
            description="\n\n".join(str(note) for name in NOTES if (note := getattr(event, name))),
            url=url(event),
            cancelled=event.status == Event.Status.CANCELLED,
        )
        for event in events
    ]
