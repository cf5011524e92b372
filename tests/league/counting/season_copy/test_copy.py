"""As last time: an event once more, and its stages for the later dates of its series."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from league.counting.season_copy.domain import next_date, next_name
from league.counting.season_copy.services import event_copy, stages_spread
from league.events.event.services import event_create
from league.events.series.domain import rule_of
from league.events.series.services import series_create
from league.models import Club, Event, Season, Stage
from league.stages.stage.services.stage import SETTINGS
from tests.factories import events

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "following"),
    [
        ("League night 3", "League night 4"),
        ("Abend 9", "Abend 10"),
        ("Club", "Club"),
        ("2026", "2026"),
        ("A", "A"),
    ],
)
def test_a_number_at_the_end_goes_on(name: str, following: str) -> None:
    assert next_name(name, 2026) == following


@pytest.mark.parametrize(
    ("name", "following"),
    [
        ("First evening", "Second evening"),
        ("Erster Abend", "Zweiter Abend"),
        ("Neunte Runde", "Zehnte Runde"),
        ("Eerste avond", "Tweede avond"),
        ("second night", "third night"),
        ("Twelfth night", "Twelfth night"),
        ("Firsthand", "Firsthand"),
        ("Erstes", "Zweites"),
    ],
)
def test_a_word_that_counts_goes_on(name: str, following: str) -> None:
    assert next_name(name, 2026) == following


@pytest.mark.parametrize(
    ("name", "following"),
    [("Cup 2026", "Cup 2027"), ("Cup 2027", "Cup 2027"), ("Cup 4711", "Cup 4712")],
)
def test_a_year_at_the_end_is_that_of_the_date(name: str, following: str) -> None:
    assert next_name(name, 2027) == following


@pytest.mark.parametrize(
    ("now", "day"),
    [
        (datetime(2026, 9, 3, 22, tzinfo=UTC), 10),  # on the evening itself: a week later
        (datetime(2026, 9, 9, 12, tzinfo=UTC), 10),
        (datetime(2026, 9, 10, 19, tzinfo=UTC), 10),  # on that evening, late
        (datetime(2026, 9, 11, 12, tzinfo=UTC), 17),
    ],
)
def test_the_next_date_is_the_same_weekday(now: datetime, day: int) -> None:
    event = Event(
        club=Club(timezone="Europe/Berlin"), starts_at=datetime(2026, 9, 3, 17, 30, tzinfo=UTC)
    )
    assert next_date(event, now).astimezone(UTC) == datetime(2026, 9, day, 17, 30, tzinfo=UTC)


def test_across_the_change_of_the_clocks_it_is_the_same_time_of_day() -> None:
    event = Event(
        club=Club(timezone="Europe/Berlin"), starts_at=datetime(2026, 10, 22, 17, 30, tzinfo=UTC)
    )
    following = next_date(event, event.starts_at)
    assert following.astimezone(UTC) == datetime(2026, 10, 29, 18, 30, tzinfo=UTC)


def plans(event: Event) -> list[tuple[object, ...]]:
    return list(Stage.objects.filter(event=event).order_by("number").values_list(*SETTINGS))


def test_a_copy_has_settings_and_stages_and_nobody_is_entered(season: Season) -> None:
    night = events.event(
        season, venue="Zum Stern", capacity=12, ends_at=events.BEGINS + timedelta(hours=3)
    )
    events.stage(night, start=False, sizes=[4, 3])
    events.enter(night, events.players(season.club, 3))
    later = events.BEGINS + timedelta(days=7)
    copy = event_copy(
        event=night, actor=events.ACTOR, slug="night-2", name="Night 2", starts_at=later
    )
    assert (copy.season, copy.venue, copy.capacity, copy.status) == (
        season,
        "Zum Stern",
        12,
        Event.Status.DRAFT,
    )
    assert copy.ends_at == later + timedelta(hours=3)
    assert plans(copy) == plans(night)
    assert not copy.entries.exists()
    again = event_copy(
        event=night, actor=events.ACTOR, slug="night-2", name="Night 2", starts_at=later
    )
    assert again == copy, "the same form sent twice"


def test_a_copy_of_an_event_that_stands_alone_stands_alone_with_the_same_rules(
    season: Season,
) -> None:
    kind = {"kind": "bluff", "rules": {"exact": "all"}, "scoring": "cntdice"}
    cup = event_create(
        club=season.club,
        actor=events.ACTOR,
        kind=kind,
        slug="cup",
        name="Cup",
        starts_at=events.BEGINS,
    )
    copy = event_copy(
        event=cup, actor=events.ACTOR, slug="cup-2", name="Cup 2", starts_at=events.BEGINS
    )
    assert copy.alone
    assert copy.season != cup.season
    assert (copy.season.rules, copy.season.ranking.scoring) == (
        cup.season.rules,
        cup.season.ranking.scoring,
    )


def test_one_plan_is_enough_for_a_series(season: Season) -> None:
    rule = rule_of(1, {events.BEGINS.weekday()}, count=4)
    series_create(
        season=season,
        actor=events.ACTOR,
        rule=rule,
        slug="thursday",
        name="Thursday",
        starts_at=events.BEGINS,
    )
    first, second, third, fourth = Event.objects.order_by("starts_at")
    events.stage(second, start=False, rounds=2)
    events.stage(third, start=False, rounds=5)
    assert stages_spread(event=second, actor=events.ACTOR) == 1
    assert plans(fourth) == plans(second)
    assert plans(third)[0] != plans(second)[0], "what is planned stays"
    assert not plans(first), "earlier dates stay"


def test_the_page_proposes_the_next_date_and_asks_who_comes_next(
    desk: Client, season: Season
) -> None:
    night = events.event(
        season, "night-1", starts_at=timezone.now() - timedelta(days=7), name="Night 1"
    )
    events.stage(night, start=False)
    form = desk.get("/clubs/stern/desk/events/night-1/again/").context["form"]
    sent = {name: form[name].value() for name in ("name", "starts_at")}
    assert sent["name"] == "Night 2"
    answer = desk.post("/clubs/stern/desk/events/night-1/again/", sent)
    assert answer.headers["Location"] == "/clubs/stern/desk/events/night-2/attendance/"
    assert plans(Event.objects.get(slug="night-2")) == plans(night)


def test_the_cockpit_plans_the_later_dates_of_a_series(desk: Client, season: Season) -> None:
    rule = rule_of(1, {events.BEGINS.weekday()}, count=3)
    series_create(
        season=season,
        actor=events.ACTOR,
        rule=rule,
        slug="thursday",
        name="Thursday",
        starts_at=events.BEGINS,
    )
    first = Event.objects.earliest("starts_at")
    events.stage(first, start=False)
    cockpit = f"/clubs/stern/desk/events/{first.slug}/"
    assert "Plan 2 later dates like this one" in " ".join(
        desk.get(cockpit).content.decode().split()
    )
    desk.post(f"{cockpit}stages/spread/")
    assert Stage.objects.count() == 3
    assert "later dates like this one" not in desk.get(cockpit).content.decode()
