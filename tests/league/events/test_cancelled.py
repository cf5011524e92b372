"""A cancelled event says so to whoever knew of it; of a draft that was never open nobody hears anything."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from league.events.queries.notice import clubs_waiting
from league.events.services.event import event_move
from league.events.services.notice import READER
from league.models import Event, Notice, Role, Season
from tests.factories import events, notices
from tests.league.events.api.conftest import asker
from tests.league.frame.api.programs import member_key

pytestmark = pytest.mark.django_db
SOON = timezone.now() + timedelta(days=3)
PAGES = ("/", "/clubs/stern/", "/clubs/stern/events/", "/clubs/stern/autumn/", "/search/?q=night")
FEEDS = ("/clubs/stern/calendar.ics", "/api/v1/clubs/stern/events/")
OWN = ("/clubs/stern/events/night-1/", "/clubs/stern/events/night-1.ics", "/api/v1/clubs/stern/events/night-1/")


@pytest.fixture
def night(season: Season) -> Event:
    """A draft with somebody in it who has an account."""
    made = events.event(season, status=Event.Status.DRAFT, starts_at=SOON)
    events.enter(made, notices.people(season.club, 1), check_in=False)
    return made


def moved(night: Event, *steps: str) -> None:
    for step in steps:
        event_move(event=night, status=step, actor=events.ACTOR)


def named_at(client: Client) -> set[str]:
    """Where the event stands by its name."""
    return {address for address in (*PAGES, *FEEDS) if b"Night-1" in client.get(address).content}


def test_a_draft_that_was_never_open_stays_unseen_when_it_is_cancelled(night: Event, desk: Client) -> None:
    moved(night, Event.Status.CANCELLED)
    nobody, player = Client(), Client()
    player.force_login(night.entries.get().player.user)  # type: ignore[arg-type]
    for client in (nobody, player):
        assert named_at(client) == set()
        assert [client.get(address).status_code for address in OWN] == [404] * len(OWN)
    assert b"Night-1" not in player.get("/me/tables/").content
    scorer = asker(member_key(night.club, Role.SCORER)[0])
    assert scorer("/clubs/stern/events/").json()["results"] == []
    assert desk.get(OWN[0]).status_code == 200
    assert clubs_waiting(READER) == [night.club_id]
    assert notices.read(night.club) == []
    assert not Notice.objects.exists()
    page = desk.get("/clubs/stern/desk/events/night-1/").content.decode()
    assert "The event is cancelled" in page


def test_an_event_that_was_open_once_says_that_it_is_cancelled(night: Event) -> None:
    moved(night, Event.Status.OPEN, Event.Status.DRAFT)
    assert named_at(Client()) == set()
    moved(night, Event.Status.CANCELLED)
    assert named_at(Client()) == {*PAGES, *FEEDS}
    assert [Client().get(address).status_code for address in OWN] == [200] * len(OWN)
    assert b"STATUS:CANCELLED" in Client().get("/clubs/stern/calendar.ics").content


def test_a_draft_that_comes_back_can_be_opened_and_is_seen_from_then_on(night: Event) -> None:
    moved(night, Event.Status.CANCELLED, Event.Status.DRAFT)
    assert named_at(Client()) == set()
    moved(night, Event.Status.OPEN)
    assert named_at(Client()) == {*PAGES, *FEEDS}


def test_the_page_that_asks_says_who_will_hear_of_it(night: Event, desk: Client) -> None:
    address = "/clubs/stern/desk/events/night-1/steps/cancel/"
    assert "Nobody else has seen it" in desk.get(address).content.decode()
    moved(night, Event.Status.OPEN)
    assert "Its page says that it is cancelled" in desk.get(address).content.decode()
