"""A feed is what calendars accept, update and cancel, whatever hour the night starts and whatever
text it carries."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from dateutil.tz import tzical
from icalendar import Calendar, Event

from league.events.calendar.domain import CalendarDate, feed

BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = CalendarDate(
    uid="k3v9x2m7qa",
    sequence=2,
    title="Autumn cup",
    starts_at=datetime(2026, 11, 26, 19, 30, tzinfo=BERLIN),
    ends_at=datetime(2026, 11, 26, 23, 0, tzinfo=BERLIN),
    venue="Zum Becher, Hamburg",
    description="Bring cups",
    url="https://cups.example/e/k3v9x2m7qa",
    zone=BERLIN,
    changed_at=datetime(2026, 11, 1, 12, 0, 0, 123456, tzinfo=UTC),
)
HOSTILE = (
    "Cups\r\nDTSTART:19700101\rX-EVIL:1\n<script>alert(1)</script>, 🎲; \\n \x00\x1b\u2028"
    + "ü🎲" * 60
)


def written(*dates: CalendarDate) -> bytes:
    return feed("Hamburg Cups", "https://cups.example/c/hamburg", dates)


def calendar_of(text: bytes) -> Calendar:
    calendar = Calendar.from_ical(text)
    assert isinstance(calendar, Calendar)
    return calendar


def read(*dates: CalendarDate) -> list[Event]:
    return calendar_of(written(*dates)).events


def test_a_date_is_what_calendars_know() -> None:
    (entry,) = read(NIGHT)
    assert str(entry["UID"]) == "k3v9x2m7qa@cups-up"
    assert entry.sequence == 2
    assert (
        entry.decoded("DTSTAMP")
        == entry.decoded("LAST-MODIFIED")
        == datetime(2026, 11, 1, 12, tzinfo=UTC)
    )
    assert entry["DTSTART"].params["TZID"] == "Europe/Berlin"
    assert entry.decoded("DTSTART") == NIGHT.starts_at
    assert entry.decoded("DTEND") == NIGHT.ends_at
    assert (str(entry["SUMMARY"]), str(entry["LOCATION"])) == ("Autumn cup", "Zum Becher, Hamburg")
    assert (str(entry["STATUS"]), str(entry["URL"])) == ("CONFIRMED", NIGHT.url)


def test_the_feed_says_its_name_and_how_often_to_look() -> None:
    text = written(NIGHT).decode()
    for line in (
        "VERSION:2.0",
        "METHOD:PUBLISH",
        "NAME:Hamburg Cups",
        "X-WR-CALNAME:Hamburg Cups",
        "URL:https://cups.example/c/hamburg",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-PUBLISHED-TTL:PT1H",
    ):
        assert f"\r\n{line}\r\n" in text


def test_the_clock_changes_nothing() -> None:
    assert written(NIGHT) == written(replace(NIGHT))


def test_a_cancelled_date_stays_and_says_so() -> None:
    (entry,) = read(replace(NIGHT, cancelled=True, sequence=3))
    assert (str(entry["STATUS"]), entry.sequence) == ("CANCELLED", 3)


def test_no_dates_are_an_empty_calendar() -> None:
    assert read() == []
    assert b"VTIMEZONE" not in written()


def test_what_is_not_known_is_left_out() -> None:
    (entry,) = read(replace(NIGHT, ends_at=None, venue="", description="", url=""))
    assert not {"LOCATION", "DESCRIPTION", "URL"} & set(entry)


@pytest.mark.parametrize("end", [None, NIGHT.starts_at])
def test_without_an_end_after_the_start_it_lasts_three_hours(end: datetime | None) -> None:
    (entry,) = read(replace(NIGHT, ends_at=end))
    assert "DTEND" not in entry
    assert entry.decoded("DURATION") == timedelta(hours=3)


@pytest.mark.parametrize("key", ["title", "venue", "description", "url", "uid"])
def test_hostile_text_stays_text(key: str) -> None:
    changed: dict[str, Any] = {key: HOSTILE}
    date = replace(NIGHT, **changed)
    text = written(date)
    (entry,) = read(date)
    assert entry.keys() == read(NIGHT)[0].keys()
    assert entry.decoded("DTSTART") == NIGHT.starts_at
    assert all(len(line) <= 75 for line in text.split(b"\r\n"))
    assert not {character for character in text.decode() if ord(character) < 32} - {"\r", "\n"}
    assert text.count(b"\r") == text.count(b"\n") == text.count(b"\r\n")


def test_hostile_text_is_shown_as_it_was_written() -> None:
    (entry,) = read(replace(NIGHT, title=HOSTILE, description=HOSTILE))
    assert str(entry["SUMMARY"]).startswith(
        "Cups DTSTART:19700101 X-EVIL:1 <script>alert(1)</script>, 🎲; "
    )
    assert str(entry["DESCRIPTION"]).splitlines()[:2] == ["Cups", "DTSTART:19700101"]
    assert str(entry["DESCRIPTION"]).endswith("ü🎲" * 60)


def test_a_hostile_name_stays_a_name() -> None:
    calendar = calendar_of(feed(HOSTILE, HOSTILE, [NIGHT]))
    assert str(calendar["X-WR-CALNAME"]).startswith("Cups DTSTART:19700101 X-EVIL:1 ")
    assert "X-EVIL" not in calendar


LATE = [
    datetime(2026, 11, 26, 23, 30, tzinfo=BERLIN),
    datetime(2026, 10, 24, 23, 30, tzinfo=BERLIN),
    datetime(2026, 10, 25, 2, 30, tzinfo=BERLIN, fold=0),
    datetime(2026, 10, 25, 2, 30, tzinfo=BERLIN, fold=1),
    datetime(2026, 3, 29, 2, 30, tzinfo=BERLIN),
    datetime(2026, 3, 29, 3, 30, tzinfo=BERLIN),
    datetime(2026, 10, 25, 1, 0, tzinfo=UTC),
]


@pytest.mark.parametrize("starts_at", LATE, ids=str)
def test_a_night_is_at_its_moment_after_parsing_back(starts_at: datetime) -> None:
    moment = starts_at.astimezone(UTC)
    (entry,) = read(replace(NIGHT, starts_at=starts_at, ends_at=moment + timedelta(minutes=60)))
    assert entry.decoded("DTSTART").astimezone(UTC) == moment
    assert entry.decoded("DTEND").astimezone(UTC) == moment + timedelta(minutes=60)


@pytest.mark.parametrize(
    "key",
    [
        "Europe/Berlin",
        "Europe/Amsterdam",
        "America/New_York",
        "Australia/Lord_Howe",
        "Asia/Tokyo",
        "UTC",
    ],
)
def test_the_zone_of_the_feed_is_the_zone_of_the_world(key: str) -> None:
    """Read as a program does that knows no zones by itself."""
    zone = ZoneInfo(key)
    text = written(replace(NIGHT, zone=zone)).decode()
    block = text[
        text.index("BEGIN:VTIMEZONE") : text.index("END:VTIMEZONE") + len("END:VTIMEZONE\r\n")
    ]
    known = tzical(StringIO(block)).get(key)
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    while moment < datetime(2027, 12, 31, tzinfo=UTC):
        here = moment.astimezone(zone)
        if here.utcoffset() == here.replace(fold=1 - here.fold).utcoffset():
            assert here.replace(tzinfo=known).utcoffset() == here.utcoffset(), here
        moment += timedelta(minutes=30)


def test_each_zone_is_described_once() -> None:
    tokyo = replace(NIGHT, uid="b", zone=ZoneInfo("Asia/Tokyo"))
    assert written(NIGHT, tokyo, replace(NIGHT, uid="c")).count(b"BEGIN:VTIMEZONE") == 2
