"""Calendars to subscribe to: what is in them, for whom, and when they change."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from league.events.calendar import queries as calendar
from league.events.calendar.services import calendar_address_renew
from league.events.entry.services.entry import entry_add, entry_withdraw
from league.events.event.services import event_change
from league.models import CalendarAddress, Club, Event, Player, Season, User, Visibility
from league.stages.course.services.event import event_move
from league.standings.player.services import player_link
from tests.factories import events
from tests.factories.league import UserFactory

pytestmark = pytest.mark.django_db
CLUB = "/clubs/stern/calendar.ics"
SOON = timezone.now().replace(microsecond=0) + timedelta(days=3)


def dates(client: Client, address: str = CLUB) -> dict[str, Any]:
    """The dates of a calendar by their titles."""
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return {
        str(entry["SUMMARY"]): entry for entry in Calendar.from_ical(answer.content).walk("VEVENT")
    }


@pytest.fixture
def user() -> User:
    return UserFactory.create()


@pytest.fixture
def player(season: Season, user: User) -> Player:
    (found,) = events.players(season.club, 1)
    player_link(player=found, account=user, actor=events.ACTOR)
    return found


def own(user: User) -> str:
    return f"/calendar/{calendar_address_renew(user=user)}.ics"


def test_a_calendar_without_a_date_is_one_too(client: Client, season: Season) -> None:
    assert dates(client) == {}


def test_a_change_keeps_the_uid_and_raises_the_sequence(client: Client, season: Season) -> None:
    made = events.event(season, starts_at=SOON)
    before = dates(client)["Night-1"]
    event_change(event=made, actor=events.ACTOR, starts_at=SOON + timedelta(hours=1))
    after = dates(client)["Night-1"]
    assert after["UID"] == before["UID"]
    assert after["SEQUENCE"] > before["SEQUENCE"]
    assert after["DTSTART"].dt == SOON + timedelta(hours=1)


def test_a_cancelled_event_stays_as_cancelled(client: Client, season: Season) -> None:
    made = events.event(season, starts_at=SOON)
    before = dates(client)["Night-1"]["SEQUENCE"]
    event_move(event=made, status=Event.Status.CANCELLED, actor=events.ACTOR)
    after = dates(client)["Night-1"]
    assert after["STATUS"] == "CANCELLED"
    assert after["SEQUENCE"] > before


def test_the_club_s_calendar_has_what_everybody_may_see_whoever_asks(
    desk: Client, season: Season
) -> None:
    events.event(season, starts_at=SOON)
    events.event(season, "plan", status=Event.Status.DRAFT, starts_at=SOON)
    assert dates(desk).keys() == {"Night-1"}
    Season.objects.update(visibility=Visibility.MEMBERS)
    assert dates(desk) == {}


def test_an_event_s_calendar_is_for_who_may_see_the_event(desk: Client, season: Season) -> None:
    events.event(season, starts_at=SOON)
    Season.objects.update(visibility=Visibility.MEMBERS)
    assert dates(desk, "/clubs/stern/events/night-1.ics").keys() == {"Night-1"}
    assert Client().get("/clubs/stern/events/night-1.ics").status_code == 404


def test_a_night_at_half_past_eleven_and_one_in_the_hour_that_comes_twice(
    client: Client, season: Season
) -> None:
    year = timezone.now().year + 1
    last = max(day for day in range(25, 32) if datetime(year, 10, day, tzinfo=UTC).weekday() == 6)
    late = datetime(year, 12, 3, 22, 30, tzinfo=UTC)
    first = datetime(year, 10, last, 0, 30, tzinfo=UTC)
    moments = {"late": late, "first": first, "second": first + timedelta(hours=1)}
    for slug, moment in moments.items():
        events.event(season, slug, starts_at=moment, ends_at=moment + timedelta(hours=4))
    found = {title.lower(): entry for title, entry in dates(client).items()}
    for slug, moment in moments.items():
        assert found[slug]["DTSTART"].dt.astimezone(UTC) == moment
        assert found[slug]["DTEND"].dt.astimezone(UTC) == moment + timedelta(hours=4)
    assert f"{found['late']['DTSTART'].dt:%H:%M}" == "23:30"


def test_a_calendar_is_sent_again_only_when_a_date_has_changed(
    client: Client, season: Season
) -> None:
    made = events.event(season, starts_at=SOON)
    tag = client.get(CLUB)["ETag"]
    assert client.get(CLUB, headers={"If-None-Match": tag}).status_code == 304
    event_change(event=made, actor=events.ACTOR, venue="Attic")
    assert client.get(CLUB, headers={"If-None-Match": tag}).status_code == 200


def test_a_calendar_has_the_last_year_and_at_most_so_many_dates(
    client: Client, season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    for slug, days in (("old", -400), ("spring", -200), ("now", 0), ("next", 30)):
        events.event(season, slug, starts_at=SOON + timedelta(days=days))
    assert dates(client).keys() == {"Spring", "Now", "Next"}
    monkeypatch.setattr(calendar, "MOST_DATES", 2)
    assert dates(client).keys() == {"Now", "Next"}


def test_lines_in_names_and_places_begin_no_other_property(client: Client, season: Season) -> None:
    evil = "Cellar; x, y\\n"
    events.event(
        season, starts_at=SOON, venue=evil, description="a\r\nEND:VEVENT\nATTACH:http://example.org"
    )
    found = dates(client)["Night-1"]
    assert str(found["LOCATION"]) == evil
    assert "ATTACH" not in found


def test_one_s_own_calendar_is_read_by_its_secret_without_signing_in(
    season: Season, user: User, player: Player
) -> None:
    made = events.event(season, starts_at=SOON)
    events.event(season, "other", starts_at=SOON)
    entry = entry_add(event=made, player=player, actor=events.ACTOR)
    Season.objects.update(visibility=Visibility.MEMBERS)
    address = own(user)
    assert dates(Client(), address) == {}
    Season.objects.update(visibility=Visibility.PUBLIC)
    assert dates(Client(), address).keys() == {"Night-1"}
    assert Client().get(address)["Cache-Control"] == "private, no-cache"
    entry_withdraw(entry=entry, actor=events.ACTOR)
    assert dates(Client(), address) == {}


def test_a_new_address_closes_the_former_one(season: Season, user: User) -> None:
    former, new = own(user), own(user)
    assert Client().get(former).status_code == 404
    assert Client().get(new).status_code == 200
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert Client().get(new).status_code == 404


def test_my_events_lists_what_i_am_entered_for_and_makes_the_address_when_asked(
    client: Client, season: Season, user: User, player: Player
) -> None:
    made = events.event(season, starts_at=SOON)
    client.force_login(user)
    assert "You haven’t entered anything" in client.get("/me/calendar/").content.decode()
    entry_add(event=made, player=player, actor=events.ACTOR)
    page = client.get("/me/calendar/").content.decode()
    assert "Night-1" in page
    assert ".ics" not in page
    assert not CalendarAddress.objects.exists()
    page = client.post("/me/calendar/", follow=True).content.decode()
    assert f"http://localhost:8000/calendar/{CalendarAddress.objects.get().secret}.ics" in page


def test_my_events_are_for_who_is_signed_in(client: Client, db: None) -> None:
    assert client.get("/me/calendar/").status_code == 302


@pytest.mark.parametrize(
    "change", [{"price_note": "9 euros"}, {"slug": "opening"}, {"venue": "The anchor"}]
)
def test_whatever_a_calendar_shows_is_taken_over_when_it_changes(
    client: Client, season: Season, change: dict[str, str]
) -> None:
    made = events.event(season, starts_at=SOON)
    first = client.get(CLUB)
    sequence = dates(client)["Night-1"]["SEQUENCE"]
    event_change(event=made, actor=events.ACTOR, **change)
    again = client.get(CLUB, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 200
    assert next(iter(change.values())) in again.content.decode()
    assert dates(client)["Night-1"]["SEQUENCE"] > sequence


def test_a_calendar_follows_the_zone_of_the_club(client: Client, season: Season) -> None:
    events.event(season, starts_at=SOON)
    first = client.get(CLUB)
    Club.objects.update(timezone="Asia/Tokyo")
    again = client.get(CLUB, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 200
    assert "Asia/Tokyo" in again.content.decode()
