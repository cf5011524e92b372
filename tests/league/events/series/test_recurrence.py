"""A series of dates keeps its clock time, ends, and can be read aloud in three languages."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from league.events.series.domain import (
    MOST_DATES,
    BadSeries,
    SeriesRule,
    dates,
    read_rule,
    rule_of,
    rule_words,
)

BERLIN = ZoneInfo("Europe/Berlin")
THURSDAY = datetime.fromisoformat("2026-11-26T19:30")
NO_END = "a series needs an end: a last day, or a number of dates"
FORTNIGHTLY = rule_of(2, {3}, until=date(2027, 3, 18))


def clock(text: str) -> datetime:
    return datetime.fromisoformat(text)


def test_a_rule_is_the_text_of_calendars() -> None:
    assert FORTNIGHTLY == "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH;UNTIL=20270318T235959"
    assert rule_of(1, {3, 0}, count=8) == "FREQ=WEEKLY;INTERVAL=1;BYDAY=MO,TH;COUNT=8"


def test_a_rule_is_read_as_it_was_written() -> None:
    assert read_rule(FORTNIGHTLY) == SeriesRule(2, (3,), until=date(2027, 3, 18))
    assert read_rule(rule_of(1, {6, 0}, count=8)) == SeriesRule(1, (0, 6), count=8)


def test_every_second_thursday_until_march_includes_the_last_day() -> None:
    starts = dates(FORTNIGHTLY, THURSDAY, BERLIN).starts
    assert len(starts) == 9
    assert {start.weekday() for start in starts} == {3}
    assert starts[0] == THURSDAY.replace(tzinfo=BERLIN)
    assert starts[-1] == clock("2027-03-18T19:30").replace(tzinfo=BERLIN)


def test_a_series_begins_at_the_first_day_that_fits() -> None:
    assert dates(rule_of(1, {0}, count=1), THURSDAY, BERLIN).starts[0].date() == date(2026, 11, 30)


def test_the_clock_shows_the_same_time_in_summer_and_winter() -> None:
    starts = dates(rule_of(1, {3}, count=30), THURSDAY, BERLIN).starts
    assert {f"{start:%H:%M}" for start in starts} == {"19:30"}
    assert {start.astimezone(UTC).hour for start in starts} == {17, 18}


def test_days_that_are_excepted_have_no_date_and_count() -> None:
    starts = dates(rule_of(1, {3}, count=3), THURSDAY, BERLIN, {date(2026, 12, 3)}).starts
    assert [start.day for start in starts] == [26, 10]


def test_a_time_that_spring_skips_is_later_and_a_note_says_so() -> None:
    series = dates(rule_of(1, {6}, count=3), clock("2026-03-22T02:30"), BERLIN)
    assert [f"{start:%H:%M}" for start in series.starts] == ["02:30", "03:30", "02:30"]
    assert series.notes == (
        "on 2026-03-29 the clocks go forward and skip 02:30: that date starts at 03:30",
    )


def test_an_hour_that_autumn_repeats_is_the_first() -> None:
    series = dates(rule_of(1, {6}, count=1), clock("2026-10-25T02:30"), BERLIN)
    assert series.starts[0].astimezone(UTC) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert series.notes == ()


def test_a_night_that_starts_at_half_past_eleven_is_on_its_own_day() -> None:
    starts = dates(
        rule_of(1, {5}, until=date(2026, 10, 31)), clock("2026-10-24T23:30"), BERLIN
    ).starts
    assert [start.date() for start in starts] == [date(2026, 10, 24), date(2026, 10, 31)]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: rule_of(0, {3}, count=1), "a series repeats every 1 to 52 weeks, not every 0"),
        (lambda: rule_of(53, {3}, count=1), "a series repeats every 1 to 52 weeks, not every 53"),
        (lambda: rule_of(1, set(), count=1), "a series needs at least one weekday"),
        (lambda: rule_of(1, {7}, count=1), "a series needs at least one weekday"),
        (lambda: rule_of(1, {3}), NO_END),
        (lambda: rule_of(1, {3}, count=1, until=date(2027, 1, 1)), NO_END),
        (lambda: rule_of(1, {3}, count=201), "a series has 1 to 200 dates, not 201"),
        (lambda: rule_of(1, {3}, count=-1), "a series has 1 to 200 dates, not -1"),
        (
            lambda: dates(rule_of(1, set(range(7)), until=date(2036, 1, 1)), THURSDAY, BERLIN),
            "a series has at most 200 dates: end it earlier",
        ),
        (
            lambda: dates(rule_of(1, {3}, until=date(2026, 1, 1)), THURSDAY, BERLIN),
            "this series has no dates: does it end before it starts?",
        ),
    ],
)
def test_a_series_that_cannot_be_says_why(wrong: object, words: str) -> None:
    assert callable(wrong)
    with pytest.raises(BadSeries) as refused:
        wrong()
    assert refused.value.message == str(refused.value) == words


@pytest.mark.parametrize(
    "rule",
    [
        "",
        "FREQ=SECONDLY;COUNT=9",
        "FREQ=WEEKLY;INTERVAL=1;BYDAY=XX;COUNT=1",
        "FREQ=WEEKLY;INTERVAL=1;BYDAY=TH;COUNT=999",
        "FREQ=WEEKLY;INTERVAL=1;BYDAY=TH,MO;COUNT=1",
        "FREQ=WEEKLY;INTERVAL=1;BYDAY=TH;UNTIL=20261399T235959",
        "FREQ=WEEKLY;INTERVAL=1;BYDAY=TH;COUNT=1\nDTSTART:19700101T000000",
    ],
)
def test_no_other_text_is_a_rule(rule: str) -> None:
    with pytest.raises(BadSeries):
        dates(rule, THURSDAY, BERLIN)


def test_two_hundred_dates_are_not_too_many() -> None:
    assert len(dates(rule_of(1, {3}, count=MOST_DATES), THURSDAY, BERLIN).starts) == MOST_DATES


@pytest.mark.parametrize(
    ("language", "rule", "words"),
    [
        (
            "en",
            rule_of(2, {3}, until=date(2027, 3, 26)),
            "every second Thursday until 26 March 2027",
        ),
        (
            "de",
            rule_of(2, {3}, until=date(2027, 3, 26)),
            "jeden zweiten Donnerstag bis zum 26. März 2027",
        ),
        (
            "nl",
            rule_of(2, {3}, until=date(2027, 3, 26)),
            "om de week op donderdag tot en met 26 maart 2027",
        ),
        ("en", rule_of(1, {0, 3}, count=8), "every Monday and Thursday, 8 times"),
        ("de", rule_of(1, {0, 3}, count=8), "jeden Montag und Donnerstag, 8-mal"),
        ("nl", rule_of(1, {0, 3}, count=8), "elke maandag en donderdag, 8 keer"),
        (
            "en",
            rule_of(3, {0, 2, 4}, count=1),
            "every 3 weeks on Monday, Wednesday and Friday, 1 time",
        ),
        (
            "de",
            rule_of(3, {0, 2, 4}, count=1),
            "alle 3 Wochen am Montag, Mittwoch und Freitag, 1-mal",
        ),
        ("nl", rule_of(2, {0, 4}, count=1), "om de 2 weken op maandag en vrijdag, 1 keer"),
    ],
)
def test_a_rule_is_read_aloud_in_the_readers_language(language: str, rule: str, words: str) -> None:
    assert rule_words(rule, language) == words
