"""Helpers of an event, as programs of the club's organisers read, invite and end them."""

import pytest

from league.events.helper.services import helper_add
from league.models import Club, Event, Helper, HelperInvitation, Role, Season
from tests.factories import events
from tests.factories.league import SeasonFactory, UserFactory
from tests.league.core.frame.api.programs import code_of, member_key
from tests.league.floor.api.conftest import Ask, asker

pytestmark = pytest.mark.django_db
HELPERS = "/clubs/stern/events/night-1/helpers/"


@pytest.fixture
def run(club: Club) -> Ask:
    return asker(member_key(club, Role.ORGANISER)[0])


@pytest.fixture
def night(club: Club) -> Event:
    season: Season = SeasonFactory.create(club=club, slug="autumn")
    return events.event(season)


def test_without_an_address_a_code_comes_back_and_with_one_a_link(run: Ask, night: Event) -> None:
    code = run(HELPERS, {"role": "scorer"}).json()
    assert (code["code"], code["link"]) == (HelperInvitation.objects.get().code, None)
    link = run(HELPERS, {"role": "arbiter", "email": "ina@example.org"}).json()
    assert link["code"] is None
    assert "/helpers/" in link["link"]
    assert code_of(run(HELPERS, {"role": "member"}))[0] == 400


def test_the_list_tells_the_roles_that_are_good_and_one_is_ended(run: Ask, night: Event) -> None:
    user = UserFactory.create(username="ina")
    helper_add(event=night, user=user, role=Role.SCORER, actor=events.ACTOR)
    (row,) = run(HELPERS).json()["results"]
    assert row == {"account": user.public_id, "name": "ina", "role": "scorer"}
    end = {"account": user.public_id, "role": "scorer", "status": "ended"}
    assert run(f"{HELPERS}status/", end).json() == row
    assert run(HELPERS).json()["results"] == []
    assert Helper.objects.get().ended_at
    assert code_of(run(f"{HELPERS}status/", {**end, "role": "arbiter"}))[0] == 404


def test_others_than_organisers_of_the_club_are_refused(club: Club, night: Event) -> None:
    score = asker(member_key(club)[0])
    assert code_of(score(HELPERS))[0] == 403
    assert code_of(score(HELPERS, {"role": "scorer"}))[0] == 403
    assert code_of(asker("")(HELPERS))[0] == 401
    assert not HelperInvitation.objects.exists()
