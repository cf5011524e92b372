"""Series of events, changes of this and all later dates, and copies of a season."""

from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError

from league.core.log.services import club_journal
from league.counting.event_counting.services import counting_change
from league.counting.season_copy.actions import CopyAction
from league.counting.season_copy.services import season_copy, season_dates
from league.events.entry.services.entry import entry_add, entry_take
from league.events.event.actions import EventAction
from league.events.event.services import event_change
from league.events.series.domain import days_later, rule_of
from league.events.series.services import series_change, series_create
from league.models import Entry, Event, LogEntry, Season, Series, Stage
from league.stages.course.services.event import event_move
from tests.factories import events
from tests.league.counting.event_rebuild.test_rebuild_at_once import in_thread, until_somebody_waits

pytestmark = pytest.mark.django_db
BERLIN = ZoneInfo("Europe/Berlin")
THURSDAY = datetime(2026, 10, 15, 19, 30, tzinfo=BERLIN)
FORTNIGHTLY = rule_of(2, {3}, until=date(2026, 12, 31))


def series(season: Season, **changed: Any) -> Series:
    settings: dict[str, Any] = {
        "rule": FORTNIGHTLY,
        "slug": "night",
        "name": "League night",
        "starts_at": THURSDAY,
        **changed,
    }
    return series_create(season=season, actor=events.ACTOR, **settings)


def walls() -> list[str]:
    return [
        f"{event.starts_at.astimezone(BERLIN):%m-%d %H:%M}"
        for event in Event.objects.order_by("starts_at")
    ]


def test_a_series_has_all_its_dates_at_the_same_time_of_the_club_s_clocks(season: Season) -> None:
    made = series(season, ends_at=THURSDAY.replace(hour=23), capacity=12)
    assert walls() == [
        "10-15 19:30",
        "10-29 19:30",
        "11-12 19:30",
        "11-26 19:30",
        "12-10 19:30",
        "12-24 19:30",
    ]
    first, second = Event.objects.order_by("starts_at")[:2]
    assert (first.slug, first.name, second.name) == (
        "night-2026-10-15",
        "League night 1",
        "League night 2",
    )
    assert {
        event.ends_at.astimezone(BERLIN).hour for event in Event.objects.all() if event.ends_at
    } == {23}
    assert {(event.status, event.capacity, event.series) for event in Event.objects.all()} == {
        ("draft", 12, made)
    }


@pytest.mark.parametrize(
    ("starts", "ends", "check_in", "expected"),
    [
        ("02:30", "03:30", "02:15", ("03:30", "04:30", "03:15")),
        ("03:00", "05:00", "02:50", ("03:00", "05:00", "01:50")),
        ("01:30", "02:30", "01:30", ("01:30", "03:30", "01:30")),
        ("19:30", "23:30", "19:15", ("19:30", "23:30", "19:15")),
    ],
)
def test_a_night_over_the_hour_that_the_clocks_skip_keeps_the_order_of_its_times(
    season: Season, starts: str, ends: str, check_in: str, expected: tuple[str, ...]
) -> None:
    def at(text: str) -> datetime:
        return datetime.fromisoformat(f"2027-03-21T{text}").replace(tzinfo=BERLIN)

    weekly = rule_of(
        1, {6}, count=3
    )  # the second of them is the day on which the clocks go forward
    series(season, rule=weekly, starts_at=at(starts), ends_at=at(ends), check_in_until=at(check_in))

    def on(number: int) -> tuple[str, ...]:
        event = Event.objects.order_by("starts_at")[number]
        times = (event.starts_at, event.ends_at, event.check_in_until)
        return tuple(f"{time.astimezone(BERLIN):%H:%M}" for time in times if time)

    assert [on(0), on(1), on(2)] == [(starts, ends, check_in), expected, (starts, ends, check_in)]
    first = Event.objects.select_related("club").order_by("starts_at")[0]
    later = at("04:30") if starts == "02:30" else at(ends)
    assert series_change(event=first, actor=events.ACTOR, venue="Anchor", ends_at=later) == 3
    assert [event.venue for event in Event.objects.all()] == ["Anchor"] * 3
    assert all(event.ends_at and event.ends_at > event.starts_at for event in Event.objects.all())


def test_exceptions_are_left_out(season: Season) -> None:
    made = series(season, days_left_out={date(2026, 12, 24)})
    assert walls()[-1] == "12-10 19:30"
    assert made.without == [date(2026, 12, 24)]


def test_the_same_series_sent_twice_is_made_once(season: Season) -> None:
    assert series(season) == series(season)
    assert Event.objects.count() == 6
    assert LogEntry.objects.filter(action=EventAction.SERIES_CREATED).count() == 1


def test_a_series_whose_addresses_are_taken_makes_nothing(season: Season) -> None:
    events.event(season, "night-2026-11-12")
    with pytest.raises(ValidationError) as refused:
        series(season)
    assert "slug" in refused.value.error_dict
    assert Event.objects.count() == 1
    assert not Series.objects.exists()


def test_a_series_of_too_many_dates_makes_nothing(season: Season) -> None:
    with pytest.raises(ValidationError, match="at most 200 dates"):
        series(season, rule=rule_of(1, set(range(7)), until=date(2027, 12, 31)))
    assert not Event.objects.exists()


def test_a_night_over_midnight_ends_on_the_next_day_and_after_it_begins_also_when_the_clocks_change(
    season: Season,
) -> None:
    late = datetime(2026, 10, 17, 23, 30, tzinfo=BERLIN)
    series(
        season,
        rule=rule_of(1, {5}, until=date(2026, 10, 31)),
        starts_at=late,
        ends_at=late.replace(day=18, hour=2),
    )
    lengths = [
        event.ends_at - event.starts_at
        for event in Event.objects.order_by("starts_at")
        if event.ends_at
    ]
    assert [length.total_seconds() / 3600 for length in lengths] == [3, 3, 3]
    assert walls() == ["10-17 23:30", "10-24 23:30", "10-31 23:30"]


def test_a_date_that_begins_in_a_skipped_hour_ends_after_it_begins(season: Season) -> None:
    night = datetime(2026, 3, 22, 2, 15, tzinfo=BERLIN)
    series(
        season,
        rule=rule_of(1, {6}, until=date(2026, 3, 29)),
        starts_at=night,
        ends_at=night.replace(minute=45),
    )
    last = Event.objects.get(slug="night-2026-03-29")
    assert f"{last.starts_at.astimezone(BERLIN):%H:%M}" == "03:15"
    assert last.ends_at
    assert last.ends_at > last.starts_at


def test_this_and_all_later_dates_change_and_no_earlier_or_running_one(season: Season) -> None:
    series(season, venue="Cellar")
    all_six = list(Event.objects.order_by("starts_at"))
    for status in (Event.Status.OPEN, Event.Status.RUNNING):
        event_move(event=all_six[3], status=status, actor=events.ACTOR)
    event_change(event=all_six[4], actor=events.ACTOR, capacity=20)
    later = all_six[2].starts_at.astimezone(BERLIN).replace(hour=20, minute=0)
    count = series_change(
        event=all_six[2],
        actor=events.ACTOR,
        starts_at=later,
        venue="Attic",
        capacity=None,
        name="X",
    )
    assert count == 3
    assert walls() == [
        "10-15 19:30",
        "10-29 19:30",
        "11-12 20:00",
        "11-26 19:30",
        "12-10 20:00",
        "12-24 20:00",
    ]
    venues = list(Event.objects.order_by("starts_at").values_list("venue", flat=True))
    assert venues == ["Cellar", "Cellar", "Attic", "Cellar", "Attic", "Attic"]
    changed = Event.objects.get(pk=all_six[4].pk)
    assert (changed.capacity, changed.name) == (20, "League night 5")
    assert Event.objects.get(pk=all_six[2].pk).name == "X"


def test_a_date_moved_to_another_weekday_moves_the_later_ones_by_as_many_days(
    season: Season,
) -> None:
    series(season)
    third = Event.objects.order_by("starts_at")[2]
    series_change(
        event=third, actor=events.ACTOR, starts_at=days_later(third.starts_at, -1, BERLIN)
    )
    assert walls()[2:] == ["11-11 19:30", "11-25 19:30", "12-09 19:30", "12-23 19:30"]


def test_if_one_later_date_can_t_change_none_does_and_its_day_is_named(season: Season) -> None:
    series(season, capacity=4)
    first, *_, last = Event.objects.order_by("starts_at")
    for player in events.players(season.club, 4):
        entry_add(event=last, player=player, actor=events.ACTOR, by_organiser=True)
    with pytest.raises(ValidationError, match="24 Dec 2026: 4 players already have a place"):
        series_change(event=first, actor=events.ACTOR, capacity=3)
    assert set(Event.objects.values_list("capacity", flat=True)) == {4}


def test_more_places_let_those_who_wait_move_up(season: Season) -> None:
    made = events.event(season, capacity=2)
    for player in events.players(season.club, 4):
        entry_add(event=made, player=player, actor=events.ACTOR)
    event_change(event=made, actor=events.ACTOR, capacity=3)
    assert list(Entry.objects.values_list("status", flat=True)) == [
        "entered",
        "entered",
        "entered",
        "waiting",
    ]


def test_a_season_is_copied_with_its_events_and_stages_on_the_same_weekdays(season: Season) -> None:
    Season.objects.update(starts_on=date(2026, 10, 1), ends_on=date(2026, 12, 31))
    season.refresh_from_db()
    counting_change(season=season, actor=events.ACTOR, per="event", best=4)
    series(season, venue="Cellar")
    events.stage(Event.objects.earliest("starts_at"), start=False, rounds=4)
    event_move(
        event=Event.objects.latest("starts_at"), status=Event.Status.CANCELLED, actor=events.ACTOR
    )
    preview = season_dates(season, date(2027, 10, 1))
    made = season_copy(
        season=season, actor=events.ACTOR, slug="next", name="Next", starts_on=date(2027, 10, 1)
    )
    copies = list(Event.objects.filter(season=made).order_by("starts_at"))
    assert [event.starts_at for event in copies] == [copy.starts_at for copy in preview]
    assert [f"{event.starts_at.astimezone(BERLIN):%a %m-%d %H:%M}" for event in copies] == [
        *(
            "Thu 10-14 19:30",
            "Thu 10-28 19:30",
            "Thu 11-11 19:30",
            "Thu 11-25 19:30",
            "Thu 12-09 19:30",
        )
    ]
    assert copies[0].slug == "night-2027-10-14"
    assert {(event.status, event.venue, event.series) for event in copies} == {
        ("draft", "Cellar", None)
    }
    assert (made.ends_on, made.event_counting.best) == (date(2027, 12, 31), 4)
    assert list(Stage.objects.filter(event=copies[0]).values_list("rounds", "status")) == [
        (4, "planned")
    ]


def test_a_season_copied_twice_to_the_same_address_is_copied_once(season: Season) -> None:
    series(season)
    copies = [
        season_copy(
            season=season, actor=events.ACTOR, slug="next", name="Next", starts_on=date(2027, 10, 1)
        )
        for _ in range(2)
    ]
    assert copies[0] == copies[1]
    assert Event.objects.count() == 12
    assert LogEntry.objects.filter(action=CopyAction.SEASON_COPIED).count() == 1


def test_a_season_is_copied_as_often_as_somebody_likes_for_one_day(season: Season) -> None:
    series(season)
    for number in (1, 2, 3):
        made = season_copy(
            season=season,
            actor=events.ACTOR,
            slug=f"next-{number}",
            name=f"Next {number}",
            starts_on=date(2027, 10, 1),
        )
        assert Event.objects.filter(season=made).count() == 6
        ends = {
            slug[len("night-2027-10-14") :] for slug in made.events.values_list("slug", flat=True)
        }
        assert ends == ({""} if number == 1 else {f"-{number}"})
    again = season_copy(
        season=season, actor=events.ACTOR, slug="next-3", name="Next 3", starts_on=date(2027, 10, 1)
    )
    assert again == made
    assert Event.objects.count() == 4 * 6


def test_a_copy_to_the_address_of_another_season_makes_nothing(season: Season) -> None:
    series(season)
    with pytest.raises(ValidationError) as refused:
        season_copy(
            season=season,
            actor=events.ACTOR,
            slug="autumn",
            name="Next",
            starts_on=date(2027, 10, 1),
        )
    assert "slug" in refused.value.error_dict
    assert Event.objects.count() == 6


def test_days_later_is_the_first_of_an_hour_that_comes_twice() -> None:
    before = datetime(2026, 10, 24, 2, 30, tzinfo=BERLIN)
    assert days_later(before, 1, BERLIN).astimezone(UTC) == datetime(
        2026, 10, 25, 0, 30, tzinfo=UTC
    )


@pytest.mark.django_db(transaction=True)
def test_a_change_of_a_series_and_an_entry_never_wait_for_each_other_in_a_circle(
    season: Season,
) -> None:
    series(season)
    first, second, *_ = Event.objects.select_related("club").order_by("starts_at")
    for one in (first, second):
        event_move(event=one, status=Event.Status.OPEN, actor=events.ACTOR)
    (player,) = events.players(season.club, 1)
    came: list[object] = []
    with club_journal(season.club_id, events.ACTOR) as journal:
        entry_take(journal, second, player, guest=False, by_organiser=False)
        thread = in_thread(
            lambda: series_change(event=first, actor=events.ACTOR, venue="The anchor"), came
        )
        until_somebody_waits()
    thread.join()
    assert came == [6]
