"""Organisers plan events on pages: one, a series, last season's; what a change means is said before
it is done."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.events.entry.services.entry import entry_add
from league.models import Event, Season, Series, User
from tests.factories import events
from tests.factories.league import MembershipFactory, SeasonFactory, UserFactory

pytestmark = pytest.mark.django_db
DESK = "/clubs/stern/desk/events/"
NEW = f"{DESK}new/?season=autumn"
SETTINGS = f"{DESK}night-1/settings/"
SERIES = "/clubs/stern/desk/season/autumn/series/"
COPY = "/clubs/stern/desk/season/autumn/copy/"
SOON = timezone.now().replace(hour=18, minute=30, second=0, microsecond=0) + timedelta(days=3)


@pytest.fixture
def desk(client: Client, season: Season) -> Client:
    organiser: User = MembershipFactory.create(
        club=season.club, user=UserFactory.create(username="organiser")
    ).user
    client.force_login(organiser)
    return client


def fields(**changed: Any) -> dict[str, Any]:
    """An event as a browser sends it."""
    chosen = {"self_entry": "on", "players_enter": "on", "confirmation": "alone"}
    chosen |= {"confirmation_minutes": "0", "objection_hours": "24"}
    chosen |= {"move_seconds": "60", "bank_seconds": "120"}
    return {
        "name": "League night",
        "slug": "",
        "starts_at": "2026-12-03T19:30",
        **chosen,
        **changed,
    }


def post(desk: Client, address: str, **sent: Any) -> str:
    answer = desk.post(address, fields(**sent), follow=True)
    return " ".join(answer.content.decode().split())


def settings_of(desk: Client, address: str = SETTINGS) -> dict[str, Any]:
    """The form of an event as it stands."""
    form = desk.get(address).context["form"]
    values = {field.html_name: field.value() for field in form}
    return {
        name: value
        for name, value in values.items()
        if value not in (None, "") and value is not False
    }


def test_a_club_without_events_is_led_to_its_first(desk: Client) -> None:
    html = desk.get(DESK).content.decode()
    assert "No event yet" in html
    assert 'href="/clubs/stern/desk/events/new/"' in html
    assert "A day of play" in desk.get("/clubs/stern/desk/").content.decode()


def test_an_event_is_planned_as_a_draft_at_the_club_s_time(desk: Client) -> None:
    html = post(
        desk,
        NEW,
        ends_at="2026-12-03T23:00",
        capacity="12",
        venue="Cellar",
        entries_until="2026-12-03T18:00",
    )
    assert "The event is ready as a draft" in html
    made = Event.objects.get(slug="league-night")
    assert made.starts_at == datetime(2026, 12, 3, 18, 30, tzinfo=UTC)
    assert (made.status, made.capacity, made.venue, made.self_entry) == (
        "draft",
        12,
        "Cellar",
        True,
    )


def test_an_event_on_its_own_gets_a_season_with_its_rules(desk: Client) -> None:
    address = f"{DESK}new/?kind=bluff"
    alone = desk.get(address).context["alone"]
    sent = {field.html_name: field.value() for field in alone if field.value() is not None}
    post(
        desk, address, **{**sent, "visibility": "members", "scoring": "placement", "rule_dice": "4"}
    )
    made = Event.objects.select_related("season__ranking").get()
    assert made.alone
    assert (made.season.slug, made.season.visibility, made.season.rules["dice"]) == (
        "league-night",
        "members",
        4,
    )
    assert made.season.ranking.scoring == "placement"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"ends_at": "2026-12-03T18:00"}, "end before it begins"),
        ({"capacity": "1"}, "greater than or equal to 2"),
        ({"starts_at": "2027-03-28T02:30"}, "skip this time"),
        ({"starts_at": "yesterday"}, "Enter a valid date/time."),
        ({"starts_at": "0001-01-01T00:00"}, "Enter a valid date/time."),
        ({"starts_at": "3026-12-03T19:30"}, "between 1900 and 2100"),
        ({"move_seconds": "9"}, "greater than or equal to 10"),
        ({"move_seconds": "601"}, "less than or equal to 600"),
        ({"bank_seconds": "3601"}, "less than or equal to 3600"),
        ({"slug": "new"}, "Another page of the club"),
        ({"name": "nobody\u200bsees"}, "is invisible"),
    ],
)
def test_what_no_event_can_be_is_said_at_the_field(
    desk: Client, wrong: dict[str, str], words: str
) -> None:
    assert words in post(desk, NEW, **wrong)
    assert not Event.objects.exists()


def test_the_second_of_an_hour_that_comes_twice_stays_when_something_else_changes(
    desk: Client, season: Season
) -> None:
    second = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    events.event(season, starts_at=second, status=Event.Status.DRAFT)
    desk.post(SETTINGS, {**settings_of(desk), "venue": "Attic", "sure": "yes"})
    made = Event.objects.get()
    assert (made.venue, made.starts_at) == ("Attic", second)


def test_a_change_says_what_it_means_for_those_who_entered_and_is_done_when_agreed(
    desk: Client, season: Season
) -> None:
    made = events.event(season, starts_at=datetime(2026, 12, 3, 18, 30, tzinfo=UTC), capacity=2)
    for player in events.players(season.club, 4):
        entry_add(event=made, player=player, actor=events.ACTOR)
    change = {
        **settings_of(desk),
        "starts_at": "2026-12-04T20:00",
        "venue": "Attic",
        "capacity": "3",
    }
    html = " ".join(desk.post(SETTINGS, change).content.decode().split())
    assert "It begins on 4 Dec 2026, 20:00 instead of 3 Dec 2026, 19:30." in html
    assert "The venue changes to Attic." in html
    assert "1 player moves up from the waiting list." in html
    assert "4 players have entered and keep their places." in html
    assert Event.objects.get().venue == ""
    desk.post(SETTINGS, {**change, "sure": "yes"})
    assert Event.objects.get().venue == "Attic"
    assert made.entries.filter(status="entered").count() == 3


def test_a_change_while_the_event_runs_says_what_becomes_of_results(
    desk: Client, season: Season
) -> None:
    events.event(season, starts_at=SOON, status=Event.Status.RUNNING)
    change = {
        **settings_of(desk),
        "confirmation": "double",
        "objection_hours": "48",
        "confirmation_minutes": "15",
    }
    change |= {"online": "on", "move_seconds": "30", "bank_seconds": "0"}
    html = desk.post(SETTINGS, change).content.decode()
    assert (
        "confirmed differently from now on: two people who write it down independently, if they "
        "agree."
    ) in html
    assert "count automatically after 15 minutes" in html
    assert "Players can now object to results for 48 hours" in html
    assert "Online tables opened from now on have 30 seconds per move, plus 0 for" in html
    desk.post(SETTINGS, {**change, "sure": "yes"})
    assert Event.objects.get().confirmation == "double"


def test_what_nobody_else_would_notice_is_saved_at_once(desk: Client, season: Season) -> None:
    events.event(season, starts_at=SOON)
    desk.post(SETTINGS, {**settings_of(desk), "description": "Bring your own cup."})
    assert Event.objects.get().description == "Bring your own cup."


def series(**changed: Any) -> dict[str, Any]:
    return fields(
        every="2", weekdays=["3"], until="2026-12-31", starts_at="2026-10-15T19:30", **changed
    )


def test_a_series_shows_all_its_dates_before_anything_is_made(desk: Client, season: Season) -> None:
    html = " ".join(desk.post(SERIES, series()).content.decode().split())
    assert "every second Thursday until 31 December 2026" in html
    assert html.count('name="on"') == 6
    assert not Event.objects.exists()
    on = ["2026-10-15", "2026-10-29", "2026-11-12"]
    answer = desk.post(SERIES, {**series(), "sure": "yes", "on": on}, follow=True)
    assert "3 events are planned." in answer.content.decode()
    assert [event.slug[-10:] for event in Event.objects.order_by("starts_at")] == on
    assert Series.objects.get().without == [
        date(2026, 11, 26),
        date(2026, 12, 10),
        date(2026, 12, 24),
    ]


def test_a_series_without_weekdays_is_on_that_of_the_first_date(desk: Client) -> None:
    html = desk.post(SERIES, {**series(), "weekdays": []}).content.decode()
    assert "every second Thursday" in html


def test_a_series_that_can_t_be_says_why(desk: Client) -> None:
    assert (
        "does it end before it starts?"
        in desk.post(SERIES, {**series(), "until": "2026-10-01"}).content.decode()
    )
    many = {**series(), "every": "1", "weekdays": list("0123456"), "until": "2027-12-31"}
    assert "at most 200 dates" in desk.post(SERIES, many).content.decode()
    assert "leaves no date" in desk.post(SERIES, {**series(), "sure": "yes"}).content.decode()
    assert not Event.objects.exists()


def test_a_date_of_a_series_changes_alone_or_with_all_later_ones(
    desk: Client, season: Season
) -> None:
    on = ["2026-10-15", "2026-10-29", "2026-11-12"]
    desk.post(SERIES, {**series(slug="night"), "sure": "yes", "on": on})
    address = f"{DESK}night-2026-10-29/settings/"
    sent = settings_of(desk, address)
    html = desk.post(address, {**sent, "venue": "Attic", "later": "yes"}).content.decode()
    assert "1 later date changes too." in html
    desk.post(address, {**sent, "venue": "Attic", "later": "yes", "sure": "yes"})
    desk.post(address, {**sent, "venue": "Roof", "sure": "yes"})
    assert list(Event.objects.order_by("starts_at").values_list("venue", flat=True)) == [
        "",
        "Roof",
        "Attic",
    ]


def test_a_season_is_copied_after_its_dates_were_shown(desk: Client, season: Season) -> None:
    Season.objects.update(starts_on=date(2026, 10, 1))
    events.event(season, starts_at=datetime(2026, 12, 3, 18, 30, tzinfo=UTC))
    sent = {"name": "Next", "slug": "", "starts_on": "2027-10-01"}
    html = " ".join(desk.post(COPY, sent).content.decode().split())
    assert "All dates move by 52 weeks." in html
    assert "2 Dec 2027, 19:30" in html
    assert Season.objects.count() == 1
    desk.post(COPY, {**sent, "sure": "yes"})
    assert Event.objects.get(season__slug="next").slug == "night-1-2027-12-02"
    assert (
        "Another season of the club uses this address."
        in desk.post(COPY, {**sent, "slug": "autumn", "sure": "yes"}).content.decode()
    )


def test_nobody_else_plans_events(desk: Client, season: Season) -> None:
    events.event(season)
    SeasonFactory.create()
    stranger = Client()
    stranger.force_login(UserFactory.create())
    for address in (DESK, NEW, SETTINGS, SERIES, COPY):
        assert stranger.get(address).status_code == 404
        assert Client().get(address).status_code == 302
