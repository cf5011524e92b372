"""Calendar feeds (RFC 5545, RFC 7986). The same dates always give the same bytes."""

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
DEFAULT_LENGTH: Final = timedelta(hours=3)
"""How long a date without an end lasts in calendars."""
SECOND: Final = timedelta(seconds=1)
CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]")
"""Characters that texts in calendars must not contain (RFC 5545, section 3.1), and line ends that
only some programs recognise.
"""


@dataclass(frozen=True, slots=True)
class CalendarDate:
    """One date of a feed.

    `uid`: identifies the date and never changes. `sequence`: grows with each change that calendars
    show; `changed_at`: the time of the last one. `zone`: the club's, whatever the zones of the
    times, which are all aware. An end that isn't after the start is ignored; without an end the
    date lasts `DEFAULT_LENGTH`.
    """

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
    """Return a calendar of these dates, in their order. `url`: the page that shows the same."""
    # This imports eighty modules, so only processes that serve a feed do it.
    from icalendar import Calendar, vDuration

    calendar = Calendar()
    calendar.add("PRODID", "-//Cups Up//Cups Up//EN")
    calendar.add("VERSION", "2.0")
    calendar.add("CALSCALE", "GREGORIAN")
    calendar.add("METHOD", "PUBLISH")
    for key in ("NAME", "X-WR-CALNAME"):
        calendar.add(key, _one_line(name))
    calendar.add("URL", iri_to_uri(url))
    calendar.add("REFRESH-INTERVAL", REFRESH, parameters={"VALUE": "DURATION"})
    calendar.add("X-PUBLISHED-TTL", vDuration(REFRESH))
    zones = {date.zone.key: date.zone for date in dates}
    for key in sorted(zones):
        calendar.add_component(_zone(zones[key], dates))
    for date in dates:
        calendar.add_component(_calendar_entry(date))
    return bytes(calendar.to_ical())


def _calendar_entry(date: CalendarDate) -> CalendarEntry:
    from icalendar import Event as CalendarEntry

    entry = CalendarEntry()
    entry.add("UID", f"{_one_line(date.uid)}@cups-up")
    entry.add("SEQUENCE", date.sequence)
    for key in ("DTSTAMP", "LAST-MODIFIED"):
        entry.add(key, date.changed_at.astimezone(UTC).replace(microsecond=0))
    start_and_end = _start_and_end(date)
    for key, moment in zip(("DTSTART", "DTEND"), start_and_end, strict=False):
        entry.add(key, moment)
    if len(start_and_end) == 1:
        entry.add("DURATION", DEFAULT_LENGTH)
    entry.add("SUMMARY", _one_line(date.title))
    entry.add("STATUS", "CANCELLED" if date.cancelled else "CONFIRMED")
    texts = {
        "LOCATION": _one_line(date.venue),
        "DESCRIPTION": _printable(date.description),
        "URL": iri_to_uri(date.url),
    }
    for key, text in texts.items():
        if text:
            entry.add(key, text)
    return entry


def _start_and_end(date: CalendarDate) -> list[datetime]:
    """Return start and end in the club's zone, or only the start.

    In an hour that is repeated in autumn, a calendar always means the first time (RFC 5545, section
    3.3.5), so a date that needs the second one is returned in UTC.
    """
    moments = [date.starts_at.astimezone(UTC)]
    if date.ends_at is not None:
        ends_at = date.ends_at.astimezone(UTC)
        if ends_at > moments[0]:
            moments.append(ends_at)
    local = [moment.astimezone(date.zone) for moment in moments]
    if any(moment.fold for moment in local):
        return moments
    return local


def _zone(zone: ZoneInfo, dates: Sequence[CalendarDate]) -> Timezone:
    """Return the changes of clocks in a zone, from the year before its dates to the year after.

    This is our own code, because with `icalendar.Timezone.from_tzinfo` (7.3) clocks go forward an
    hour late: the time of a change is that of the clock before it (RFC 5545, section 3.6.5).
    """
    from icalendar import Timezone, TimezoneDaylight, TimezoneStandard

    starts = [date.starts_at.astimezone(UTC) for date in dates if date.zone.key == zone.key]
    first = datetime(min(starts).year - 1, 1, 1, tzinfo=UTC)
    last = datetime(max(starts).year + 2, 1, 1, tzinfo=UTC)
    component = Timezone()
    component.add("TZID", zone.key)
    for change in (first, *_offset_changes(zone, first, last)):
        before = (change - SECOND).astimezone(zone)
        after = change.astimezone(zone)
        clock_time = change.replace(tzinfo=None) + (before.utcoffset() or timedelta())
        observance = TimezoneDaylight() if after.dst() else TimezoneStandard()
        observance.add("DTSTART", clock_time)
        observance.add("TZOFFSETFROM", before.utcoffset())
        observance.add("TZOFFSETTO", after.utcoffset())
        observance.add("TZNAME", after.tzname())
        component.add_component(observance)
    return component


def _offset_changes(zone: ZoneInfo, first: datetime, last: datetime) -> Iterator[datetime]:
    day = first
    while day < last:
        next_day = day + timedelta(days=1)
        if _offset(zone, day) != _offset(zone, next_day):
            yield _offset_change_between(zone, day, next_day)
        day = next_day


def _offset_change_between(zone: ZoneInfo, low: datetime, high: datetime) -> datetime:
    offset_before = _offset(zone, low)
    while high - low > SECOND:
        middle = low + (high - low) // 2
        if _offset(zone, middle) == offset_before:
            low = middle
        else:
            high = middle
    return high.replace(microsecond=0)


def _offset(zone: ZoneInfo, moment: datetime) -> timedelta | None:
    return moment.astimezone(zone).utcoffset()


def _printable(text: str) -> str:
    return CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _one_line(text: str) -> str:
    return " ".join(_printable(text).split())


OWN_PROPERTY: Final = ("slug", "name", "status", "starts_at", "ends_at", "venue", "description")
"""The columns of an event that have a property of their own in calendars."""
OTHER_COLUMNS: Final = tuple(
    name for name in columns_of(Event, "in_calendar") if name not in OWN_PROPERTY
)
"""The other columns that calendars show, in the description of a date."""


def dates_of(events: list[Event], url: Callable[[Event], str]) -> list[CalendarDate]:
    """Return the events as dates of calendars. `url` returns the full address of an event's
    page.
    """
    dates = []
    for event in events:
        date = CalendarDate(
            uid=event.public_id,
            sequence=event.changes,
            title=event.name,
            starts_at=event.starts_at,
            zone=ZoneInfo(event.club.timezone),
            changed_at=event.changed_at,
            ends_at=event.ends_at,
            venue=event.venue,
            description=_description(event),
            url=url(event),
            cancelled=event.status == Event.Status.CANCELLED,
        )
        dates.append(date)
    return dates


def _description(event: Event) -> str:
    values = [getattr(event, name) for name in ("description", *OTHER_COLUMNS)]
    return "\n\n".join(str(value) for value in values if value)
