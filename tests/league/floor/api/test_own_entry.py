"""Entering and withdrawing oneself, by program."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.core.log.services import Actor
from league.events.entry.services.entry import entries_check_in, entries_no_show
from league.models import Club, Entry, Event, LogEntry, Player, Role, Season, User
from tests.factories import events
from tests.factories.league import ClubFactory, UserFactory
from tests.league.core.frame.api.programs import code_of, member_key
from tests.league.floor.api.conftest import Ask, asker
from tests.league.floor.api.test_organising import faults, good

pytestmark = pytest.mark.django_db

OWN = "/clubs/stern/events/night-1/entries/own/"
ENTER, WITHDRAW = {"status": "entered"}, {"status": "withdrawn"}


@pytest.fixture
def night(season: Season) -> Event:
    """An evening with two places, one of them taken."""
    made = events.event(
        season, status=Event.Status.OPEN, capacity=2, starts_at=timezone.now() + timedelta(days=3)
    )
    events.enter(made, events.players(season.club, 1))
    return made


@pytest.fixture
def account(club: Club) -> User:
    """An account with no right in the club, which is its player Anna."""
    user: User = UserFactory.create()
    anna = events.players(club, 1, "anna")[0]
    Player.objects.filter(pk=anna.pk).update(user=user, name="Anna")
    return user


@pytest.fixture
def anna(club: Club, account: User) -> Ask:
    """Ask as Anna."""
    return asker(member_key(club, Role.PLAYER, user=account)[0])


def status(response: Any) -> tuple[str, int | None]:
    entry = good(response)
    return entry["status"], entry["waiting_place"]


def test_a_player_enters_looks_withdraws_and_comes_back(night: Event, anna: Ask, look: Ask) -> None:
    assert code_of(anna(OWN)) == (404, "not_found")
    entered = good(anna(OWN, ENTER))
    assert (entered["player"]["name"], entered["status"], entered["checked_in_at"]) == (
        "Anna",
        "entered",
        None,
    )
    assert good(anna(OWN)) == entered
    assert entered["page"] == f"/entries/{entered['id']}/"
    assert entered["id"] in {row["id"] for row in good(look(OWN.removesuffix("own/")))["results"]}
    assert status(anna(OWN, WITHDRAW)) == ("withdrawn", None)
    assert status(anna(OWN)) == ("withdrawn", None)
    assert status(anna(OWN, ENTER)) == ("entered", None)


def test_who_is_where_they_wish_to_be_stays_there(night: Event, anna: Ask) -> None:
    first = good(anna(OWN, ENTER))
    logged = LogEntry.objects.count()
    assert good(anna(OWN, ENTER)) == first
    good(anna(OWN, WITHDRAW))
    assert status(anna(OWN, WITHDRAW)) == ("withdrawn", None)
    assert LogEntry.objects.count() == logged + 1


def test_without_a_free_place_one_waits(night: Event, anna: Ask) -> None:
    events.enter(night, events.players(night.club, 3)[1:], check_in=False)
    assert status(anna(OWN, ENTER)) == ("waiting", 2)


def test_an_account_that_is_no_player_yet_says_a_name(night: Event, club: Club) -> None:
    ask = asker(member_key(club, Role.PLAYER)[0])
    assert faults(ask(OWN, ENTER)) == [("/name", "required")]
    assert faults(ask(OWN, ENTER | {"name": "<\u200b>"})) == [("/name", "invalid")]
    assert faults(ask(OWN, WITHDRAW)) == [("/status", "no_such_entry")]
    assert good(ask(OWN, ENTER | {"name": "Berta 🎲"}))["player"]["name"] == "Berta 🎲"
    good(ask(OWN, ENTER | {"name": "Another"}))
    assert not Player.objects.filter(name="Another").exists()


def test_nobody_takes_a_name_that_is_there(night: Event, club: Club, anna: Ask) -> None:
    ask = asker(member_key(club, Role.PLAYER)[0])
    assert faults(ask(OWN, ENTER | {"name": "ANNA"})) == [("/name", "invalid")]
    assert Entry.objects.count() == 1


@pytest.mark.parametrize(
    "said", [{}, {"status": "no_show"}, {"status": "entered", "guest": True}, [], {"name": "x"}]
)
def test_a_body_that_says_something_else_is_refused(night: Event, anna: Ask, said: Any) -> None:
    assert code_of(anna(OWN, said)) == (400, "bad_value")
    assert Entry.objects.count() == 1


@pytest.mark.parametrize("fields", [{"self_entry": False}, {"status": Event.Status.RUNNING}])
def test_when_entries_are_closed_nobody_enters_but_everybody_may_leave(
    night: Event, anna: Ask, fields: dict[str, Any]
) -> None:
    good(anna(OWN, ENTER))
    Event.objects.update(**fields)
    assert status(anna(OWN, WITHDRAW)) == ("withdrawn", None)
    assert faults(anna(OWN, ENTER)) == [("", "invalid")]


def test_who_did_not_come_makes_no_withdrawal_of_it(night: Event, anna: Ask) -> None:
    good(anna(OWN, ENTER))
    Event.objects.update(starts_at=timezone.now() - timedelta(hours=1))
    night.refresh_from_db()
    entries_no_show(event=night, actor=Actor())
    assert status(anna(OWN, WITHDRAW)) == ("no_show", None)


def test_it_takes_a_key_of_the_club_or_an_account(night: Event, look: Ask, account: User) -> None:
    foreign = asker(member_key(ClubFactory.create(), Role.ORGANISER)[0])
    for body in (None, ENTER):
        assert code_of(look(OWN, body))[0] == 401
        assert code_of(foreign(OWN, body)) == (403, "wrong_club")
    browser = Client()
    browser.force_login(account)
    assert browser.get(f"/api/v1{OWN}").status_code == 404


def test_what_mayn_t_be_seen_can_t_be_entered(night: Event, anna: Ask) -> None:
    Event.objects.update(status=Event.Status.DRAFT)
    for body in (None, ENTER, WITHDRAW):
        assert code_of(anna(OWN, body)) == (404, "not_found")


def test_an_idempotency_key_enters_once(night: Event, anna: Ask) -> None:
    once = {"Idempotency-Key": "enter-1"}
    first = good(anna(OWN, ENTER, **once))
    good(anna(OWN, WITHDRAW))
    assert good(anna(OWN, ENTER, **once)) == first
    assert status(anna(OWN)) == ("withdrawn", None)


def test_the_table_that_is_played_next(night: Event, anna: Ask, look: Ask) -> None:
    assert good(anna(OWN, ENTER))["table"] is None
    Event.objects.update(status=Event.Status.RUNNING, capacity=None)
    night.refresh_from_db()
    entries_check_in(event=night, entries=list(night.entries.all()), actor=Actor())
    first = events.drawn(events.stage(night, sizes=[2]))
    table = good(anna(OWN))["table"]
    seats = good(look(table.removeprefix("/api/v1")))["seats"]
    assert {seat["player"]["name"] for seat in seats} == {"Anna", "p1"}
    events.play(first)
    assert good(anna(OWN))["table"] is None
