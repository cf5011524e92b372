"""The clock of somebody who plays turn by turn: it stands still in holidays, and is silent in quiet
hours."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from league.play.playing_time.domain import Pause, PlayerClock, days_by_year, quiet_span
from league.play.turn.domain import turn_times

BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def clock(
    quiet: tuple[int, int] | None = None, *holidays: tuple[datetime, datetime]
) -> PlayerClock:
    quiet_from, quiet_to = (time(quiet[0]), time(quiet[1])) if quiet else (None, None)
    return PlayerClock(BERLIN, quiet_from, quiet_to, [Pause(*holiday) for holiday in holidays])


@pytest.mark.parametrize(
    ("begins", "ends", "runs_out"),
    [
        (1, 4, 5),
        (2, 5, 2),
        (0, 3, 5),
        (-3, -1, 2),
        (-1, 1, 3),
        (3, 9, 2),
    ],
)
def test_a_holiday_moves_the_end_by_as_much_of_it_as_lies_before(
    begins: int, ends: int, runs_out: int
) -> None:
    """Two days from noon, with a holiday that begins and ends so many days from then."""
    holiday = (NOON + begins * DAY, NOON + ends * DAY)
    assert clock(None, holiday).after(NOON, 2 * DAY) == NOON + runs_out * DAY


def test_holidays_that_touch_or_overlap_count_once() -> None:
    first, second = (NOON + DAY, NOON + 3 * DAY), (NOON + 2 * DAY, NOON + 4 * DAY)
    assert clock(None, second, first).after(NOON, 2 * DAY) == NOON + 5 * DAY


@pytest.mark.parametrize(
    ("quiet", "hour", "told_at"),
    [
        ((22, 8), 21, (1, 21)),
        ((22, 8), 22, (2, 8)),
        ((22, 8), 23, (2, 8)),
        ((22, 8), 7, (1, 8)),
        ((22, 8), 8, (1, 8)),
        ((9, 17), 12, (1, 17)),
        ((9, 17), 17, (1, 17)),
        ((9, 17), 8, (1, 8)),
    ],
)
def test_what_falls_in_quiet_hours_waits_until_they_end(
    quiet: tuple[int, int], hour: int, told_at: tuple[int, int]
) -> None:
    at = datetime(2026, 12, 1, hour, tzinfo=BERLIN)
    day, ends = told_at
    assert clock(quiet).earliest_notice(at) == datetime(2026, 12, day, ends, tzinfo=BERLIN)


def test_quiet_hours_that_end_in_a_holiday_go_on_with_it() -> None:
    holiday = (datetime(2026, 12, 2, tzinfo=BERLIN), datetime(2026, 12, 4, tzinfo=BERLIN))
    at = datetime(2026, 12, 1, 23, tzinfo=BERLIN)
    assert clock((22, 8), holiday).earliest_notice(at) == datetime(2026, 12, 4, 8, tzinfo=BERLIN)


def test_quiet_hours_keep_to_the_clock_on_the_wall_when_summer_time_ends() -> None:
    at = datetime(2026, 10, 24, 23, tzinfo=BERLIN)
    assert clock((22, 8)).earliest_notice(at) == datetime(2026, 10, 25, 7, tzinfo=UTC)


@pytest.mark.parametrize("days", [1, 2, 3])
def test_after_the_reminder_a_quarter_of_the_time_is_left(days: int) -> None:
    times = turn_times(NOON, days, clock())
    assert times.remind_at == NOON + days * DAY * 3 / 4
    assert times.ends_at == NOON + days * DAY
    late = NOON + 9 * DAY
    assert turn_times(NOON, days, clock(), late).ends_at == late + days * DAY / 4


def test_a_prompt_reminder_leaves_the_end_as_it_is() -> None:
    reminded_at = NOON + 36 * HOUR + timedelta(seconds=40)
    assert turn_times(NOON, 2, clock(), reminded_at).ends_at == NOON + 2 * DAY


def test_days_of_a_holiday_count_in_the_year_in_which_they_lie() -> None:
    assert days_by_year(date(2026, 12, 30), date(2027, 1, 2)) == {2026: 2, 2027: 2}
    assert days_by_year(date(2026, 7, 1), date(2026, 7, 1)) == {2026: 1}


def test_quiet_hours_may_go_over_midnight() -> None:
    assert quiet_span(time(22), time(8)) == 10 * HOUR
    assert quiet_span(time(9), time(17)) == 8 * HOUR
    assert quiet_span(time(9), time(9)) == DAY
