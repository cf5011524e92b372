"""Claims and codes, as organisers' programs read and make them."""

import pytest

from league.core.claim.services import player_claim
from league.models import Claim, ClaimCode, Club, Player, Role
from tests.factories.league import PlayerFactory, UserFactory
from tests.league.core.frame.api.programs import code_of, member_key
from tests.league.floor.api.conftest import Ask, asker

pytestmark = pytest.mark.django_db
CLAIMS = "/clubs/stern/claims/"


@pytest.fixture
def run(club: Club) -> Ask:
    return asker(member_key(club, Role.ORGANISER)[0])


@pytest.fixture
def anna(club: Club) -> Player:
    return PlayerFactory.create(club=club, handle="anna")


def test_the_list_tells_who_said_so_and_by_which_way(run: Ask, anna: Player) -> None:
    assert run(CLAIMS).json()["results"] == []
    claim = player_claim(player=anna, way=Claim.Way.MAIL, user=None)
    (row,) = run(CLAIMS).json()["results"]
    assert (row["id"], row["way"], row["phone"], row["ended_at"]) == (
        claim.public_id,
        "mail",
        True,
        None,
    )


def test_codes_are_made_for_those_who_have_no_account(run: Ask, anna: Player) -> None:
    linked = PlayerFactory.create(club=anna.club, user=UserFactory.create())
    answer = run(f"{CLAIMS}codes/", {"players": [anna.public_id, linked.public_id]})
    assert answer.json()["results"] == [
        {"player": anna.public_id, "code": ClaimCode.objects.get().code}
    ]
    again = run(f"{CLAIMS}codes/", {"players": [anna.public_id], "anew": True}).json()
    assert again["results"] != answer.json()["results"]
    assert code_of(run(f"{CLAIMS}codes/", {"players": ["nobody"]}))[0] == 400


def test_a_claim_is_undone(run: Ask, anna: Player) -> None:
    claim = player_claim(player=anna, way=Claim.Way.MAIL, user=None)
    answer = run(f"{CLAIMS}{claim.public_id}/status/", {"status": "ended"})
    assert answer.json()["ended_at"]
    anna.refresh_from_db()
    assert anna.user is None
    assert run(f"{CLAIMS}{claim.public_id}/status/", {"status": "ended"}).status_code == 200, (
        "twice is once"
    )
    assert code_of(run(f"{CLAIMS}{claim.public_id}/status/", {"status": "mine"}))[0] == 400


def test_others_than_organisers_are_refused(club: Club, anna: Player) -> None:
    score = asker(member_key(club)[0])
    assert code_of(score(CLAIMS))[0] == 403
    assert code_of(score(f"{CLAIMS}codes/", {"players": [anna.public_id]}))[0] == 403
    assert code_of(asker("")(CLAIMS))[0] == 401
    assert not ClaimCode.objects.exists()
