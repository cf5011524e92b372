"""An arbiter from outside, by the API: invited, accepted, agreed on, and ended."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.models import Game
from league.models import ArbiterInvitation, Player, Role, User
from tests.factories.league import MembershipFactory, UserFactory
from tests.league.core.frame.api.programs import bearer, code_of, member_key
from tests.league.disputes.arbiter.conftest import Invited
from tests.league.disputes.objection.test_objection import post, secret_of

pytestmark = pytest.mark.django_db


def invite(client: Client, game: Game, secret: str) -> Any:
    return post(client, f"games/{game.public_id}/arbiter-invitations/", secret)


def answer(client: Client, invitation: str, secret: str, word: str, **body: Any) -> Any:
    return post(client, f"arbiter-invitations/{invitation}/answers/", secret, answer=word, **body)


def test_the_last_seat_that_says_yes_lets_the_arbiter_rule(
    client: Client, disputed: Game, sitters: list[User], outsider: User
) -> None:
    secrets = [secret_of(disputed, user) for user in sitters]
    made = invite(client, disputed, secrets[0]).json()
    assert made["link"].endswith(f"/arbiter/{made['token']}/")
    arbiter = secret_of(disputed, outsider)
    path = f"arbiter-links/{made['token']}/acceptance/"
    accepted = post(client, path, arbiter, close_to=[2]).json()
    assert accepted["arbiter"] == {"account": outsider.public_id, "name": "outsider"}
    assert (accepted["state"], accepted["close_to"], accepted["assents"]) == ("accepted", [2], [])
    for secret in secrets[:-1]:
        assert answer(client, made["id"], secret, "yes").json()["state"] == "accepted"
        assert not outsider.has_perm("league.rule_on_game", disputed)
    agreed = answer(client, made["id"], secrets[-1], "yes").json()
    assert agreed["state"] == "agreed"
    assert [row["seat"] for row in agreed["assents"]] == [0, 1, 2, 3]
    assert outsider.has_perm("league.rule_on_game", disputed)
    listed = client.get(
        f"/api/v1/games/{disputed.public_id}/arbiter-invitations/", headers=bearer(secrets[1])
    ).json()
    assert listed["results"] == [agreed]
    read = client.get(f"/api/v1/arbiter-invitations/{made['id']}/", headers=bearer(arbiter)).json()
    assert read == agreed
    assert made["token"] not in str(read)


def test_somebody_signed_in_accepts_without_a_key(
    client: Client, invited: Invited, outsider: User
) -> None:
    client.force_login(outsider)
    path = f"/api/v1/arbiter-links/{invited.token}/acceptance/"
    assert client.post(path, "{}", content_type="application/json").json()["state"] == "accepted"


def test_refusals_have_codes(
    client: Client,
    accepted: ArbiterInvitation,
    invited: Invited,
    disputed: Game,
    sitters: list[User],
) -> None:
    mine, other = secret_of(disputed, sitters[0]), secret_of(disputed, sitters[1])
    stranger = secret_of(disputed, UserFactory.create())
    assert code_of(invite(client, disputed, mine)) == (422, "invitation_accepted")
    assert code_of(invite(client, disputed, stranger)) == (403, "permission_denied")
    link = f"arbiter-links/{invited.token}/acceptance/"
    assert code_of(post(client, link, stranger)) == (422, "accepted_by_another")
    assert code_of(post(client, link, other, close_to="x")) == (400, "bad_value")
    assert post(client, "arbiter-links/guess/acceptance/", stranger).status_code == 404
    assert code_of(answer(client, accepted.public_id, other, "yes", seat=2)) == (
        403,
        "not_your_seat",
    )
    assert answer(client, accepted.public_id, stranger, "yes").status_code == 404
    end = f"arbiter-invitations/{accepted.public_id}/end/"
    assert code_of(post(client, end, other, way="withdrawn")) == (403, "not_your_invitation")
    assert code_of(post(client, end, mine, way="given_up")) == (403, "not_your_invitation")
    assert post(client, end, mine, way="withdrawn").json()["end"]["way"] == "withdrawn"
    assert code_of(answer(client, accepted.public_id, other, "yes")) == (403, "not_your_seat")


def test_a_no_ends_it(
    client: Client, accepted: ArbiterInvitation, disputed: Game, sitters: list[User]
) -> None:
    ended = answer(client, accepted.public_id, secret_of(disputed, sitters[3]), "no").json()
    assert (ended["state"], ended["end"]["way"], ended["end"]["seat"]) == ("ended", "declined", 3)


def test_a_key_of_another_club_accepts_nothing(client: Client, invited: Invited) -> None:
    other, _ = member_key(MembershipFactory.create().club, Role.PLAYER)
    link = f"arbiter-links/{invited.token}/acceptance/"
    assert code_of(post(client, link, other)) == (403, "wrong_club")


def test_who_corrects_games_answers_for_a_player_without_an_account(
    client: Client, accepted: ArbiterInvitation, disputed: Game, sitters: list[User]
) -> None:
    Player.objects.filter(user=sitters[3]).update(user=None)
    arbiter, _ = member_key(disputed.season_game.season.club, Role.ARBITER)
    assents = answer(client, accepted.public_id, arbiter, "yes").json()["assents"]
    assert [(row["seat"], row["role"]) for row in assents] == [(3, "arbiter")]
