"""The code of an event's wall, and phones that wait, as programs of those who check in read and
answer them."""

from __future__ import annotations

import pytest
from django.test import Client

from league.events.wall_list.services import claim_request_make, wall_code
from league.models import Claim, ClaimRequest, Club, Entry, Event, Role, Season
from tests.factories import events
from tests.league.core.frame.api.programs import code_of, member_key
from tests.league.floor.api.conftest import Ask, asker, season

__all__ = ["season"]
pytestmark = pytest.mark.django_db
WALL = "/clubs/stern/events/night-1/wall/"
CLAIMS = "/clubs/stern/events/night-1/claims/"


@pytest.fixture
def score(club: Club) -> Ask:
    return asker(member_key(club, Role.SCORER)[0])


@pytest.fixture
def anna(season: Season) -> Entry:
    night = events.event(season, status=Event.Status.RUNNING)
    (entry,) = events.enter(night, events.players(season.club, 1))
    return Entry.objects.select_related("event", "player").get(pk=entry.pk)


def asked(entry: Entry, key: str = "of a phone") -> ClaimRequest:
    return claim_request_make(entry=entry, user=None, key=key)


def test_the_code_is_read_and_renewed(score: Ask, anna: Entry) -> None:
    before = score(WALL).json()
    assert before["code"] == wall_code(anna.event).code
    assert before["url"].endswith(f"/clubs/stern/events/night-1/claim/{before['code']}/")
    after = score(WALL, {}).json()
    assert after["code"] != before["code"]
    assert score(WALL).json() == after


def test_a_phone_that_waits_is_let_in_or_refused(score: Ask, anna: Entry) -> None:
    wrong, right = asked(anna, "wrong"), asked(anna, "right")
    rows = score(CLAIMS).json()["results"]
    assert [(row["id"], row["sign"]) for row in rows] == [
        (phone.public_id, phone.sign) for phone in (wrong, right)
    ]
    assert (
        score(f"{CLAIMS}{wrong.public_id}/status/", {"status": "refused"}).json()["status"]
        == "refused"
    )
    assert (
        score(f"{CLAIMS}{right.public_id}/status/", {"status": "approved"}).json()["status"]
        == "approved"
    )
    assert Claim.objects.get().way == Claim.Way.ASKED
    assert score(CLAIMS).json()["results"] == []
    assert code_of(score(f"{CLAIMS}{right.public_id}/status/", {"status": "approved"}))[0] == 404
    assert code_of(score(f"{CLAIMS}{right.public_id}/status/", {"status": "waiting"}))[0] in (
        400,
        404,
    )


def test_a_new_phone_is_told_though_nothing_else_has_changed(score: Ask, anna: Entry) -> None:
    first = score(CLAIMS)
    asked(anna)
    again = score(CLAIMS, **{"If-None-Match": first.headers.get("ETag", "")})
    assert again.status_code == 200
    assert len(again.json()["results"]) == 1


@pytest.mark.parametrize("role", [Role.PLAYER, Role.ARBITER])
def test_others_than_those_who_check_in_are_refused(club: Club, anna: Entry, role: Role) -> None:
    other = asker(member_key(club, role)[0])
    phone = asked(anna)
    for answer in (
        other(WALL),
        other(WALL, {}),
        other(CLAIMS),
        other(f"{CLAIMS}{phone.public_id}/status/", {"status": "approved"}),
    ):
        assert code_of(answer)[0] == 403
    assert Client().get(f"/api/v1{WALL}").status_code == 401
    assert not Claim.objects.exists()
