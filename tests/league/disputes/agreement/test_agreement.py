"""Corrections by agreement, by the API: proposed, read by those whom they concern, and agreed
with."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from league.core.log.services import Actor
from league.disputes.objection.services import objection_raise
from league.models import Player, Role, User
from tests.factories.league import UserFactory
from tests.factories.proposals import turned
from tests.league.core.frame.api.programs import bearer, code_of, member_key
from tests.league.disputes.objection.test_objection import post, secret_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def contested(played: Game, sitters: list[User]) -> Game:
    """The game, to whose result its first seat objects."""
    objection_raise(game=played, seat=0, word="Mixed up.", actor=Actor(sitters[0].pk))
    return played


def record_turned(game: Game) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(turned(game))
    return record


def propose(client: Client, game: Game, secret: str) -> Any:
    return post(client, f"games/{game.public_id}/proposals/", secret, record=record_turned(game))


def test_the_last_seat_to_agree_corrects_the_game(
    client: Client, contested: Game, sitters: list[User]
) -> None:
    secrets = [secret_of(contested, user) for user in sitters]
    proposal = propose(client, contested, secrets[0]).json()
    assert proposal["record"]["outcome"]["rank"] == record_turned(contested)["outcome"]["rank"]
    assert [row["seat"] for row in proposal["agreements"]] == [0]
    path = f"proposals/{proposal['id']}/"
    for seat in (1, 2, 3):
        answer = post(client, f"{path}agreements/", secrets[seat]).json()
        assert [row["seat"] for row in answer["agreements"]] == list(range(seat + 1))
    assert Game.objects.get(replaces=contested).entered_by == sitters[3]
    read = client.get(f"/api/v1/{path}", headers=bearer(secrets[1])).json()
    assert read["agreements"] == answer["agreements"]
    assert read["game"] == f"/api/v1/games/{contested.public_id}/"


def test_refusals_have_codes(client: Client, contested: Game, sitters: list[User]) -> None:
    mine, other = secret_of(contested, sitters[0]), secret_of(contested, sitters[1])
    stranger = secret_of(contested, UserFactory.create())
    assert code_of(propose(client, contested, stranger)) == (422, "not_at_the_table")
    record = record_turned(contested)
    path = f"games/{contested.public_id}/proposals/"
    assert code_of(post(client, path, mine, record=record | {"seats": record["seats"][::-1]})) == (
        422,
        "other_seats",
    )
    assert code_of(post(client, path, mine, record={})) == (422, "bad_record")
    assert code_of(post(client, path, mine)) == (400, "bad_value")
    proposal = f"proposals/{propose(client, contested, mine).json()['id']}/"
    assert code_of(post(client, f"{proposal}agreements/", mine)) == (403, "not_your_seat")
    assert code_of(post(client, f"{proposal}agreements/", other, seat=2)) == (403, "not_your_seat")
    assert post(client, f"{proposal}agreements/", stranger).status_code == 404
    assert client.get(f"/api/v1/{proposal}", headers=bearer(stranger)).status_code == 404
    assert client.get(f"/api/v1/{proposal}").status_code == 404


def test_an_arbiter_agrees_for_who_has_no_account(
    client: Client, contested: Game, sitters: list[User]
) -> None:
    Player.objects.filter(user=sitters[2]).update(user=None)
    proposal = propose(client, contested, secret_of(contested, sitters[0])).json()
    arbiter, _ = member_key(contested.season_game.season.club, Role.ARBITER)
    answer = post(client, f"proposals/{proposal['id']}/agreements/", arbiter).json()
    assert [(row["seat"], row["role"]) for row in answer["agreements"]] == [
        (0, "player"),
        (2, "arbiter"),
    ]
