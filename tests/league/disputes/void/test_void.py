"""Voiding and restoring by the API, and what its answers tell of a voided game."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from league.models import Role, Season
from tests.factories.counted import add_games, count
from tests.factories.records import bluff_record, line
from tests.league.core.frame.api.programs import bearer, code_of, get, member_key

pytestmark = pytest.mark.django_db
REASON = "It was entered for the wrong evening."


def decide(client: Client, game: Game, secret: str, **body: Any) -> Any:
    return client.post(
        f"/api/v1/games/{game.public_id}/void/",
        json.dumps({"reason": REASON, **body}),
        content_type="application/json",
        headers=bearer(secret),
    )


def test_a_game_is_voided_and_restored_and_every_answer_says_so(
    client: Client, season: Season
) -> None:
    add_games(season, [bluff_record(1), bluff_record(2)])
    game = Game.objects.earliest("pk")
    secret, _ = member_key(season.club, Role.ARBITER)
    before = get(f"/games/{game.public_id}/").json()
    assert before["voided"] is None
    answer = decide(client, game, secret)
    assert answer.status_code == 200
    mark = answer.json()["voided"]
    assert (mark["reason"], mark["role"]) == (REASON, "arbiter")
    count(season)
    one = get(f"/games/{game.public_id}/").json()
    assert (one["over"], one["counted"], one["voided"]) == (False, False, mark)
    rows = get(f"/clubs/{season.club.slug}/games/").json()["results"]
    assert [(row["counted"], bool(row["voided"])) for row in rows] == [(True, False), (False, True)]
    assert rows[1]["voided"]["reason"] == REASON
    assert get(f"/games/{game.public_id}/record/").json()["voided"]["reason"] == REASON
    assert code_of(decide(client, game, secret)) == (422, "voided")
    restored = decide(client, game, secret, stands=False, reason="It was right.")
    assert restored.json()["voided"] is None
    assert code_of(decide(client, game, secret, stands=False)) == (422, "not_voided")
    count(season)
    after = get(f"/games/{game.public_id}/").json()
    receipts = after.pop("receipts")
    assert receipts[:1] == before.pop("receipts")
    assert ["game voided" in receipts[1], "voided game restored" in receipts[2]] == [True, True]
    assert after == before


def test_the_record_sent_again_is_answered_voided(client: Client, season: Season) -> None:
    add_games(season, [bluff_record(1)])
    game = Game.objects.get()
    secret, _ = member_key(season.club, Role.ORGANISER)
    decide(client, game, secret)
    answer = client.post(
        f"/api/v1/clubs/{season.club.slug}/games/?season={season.slug}",
        line(bluff_record(1)),
        content_type="application/json",
        headers=bearer(secret),
    )
    assert code_of(answer) == (422, "voided")
    assert f"/games/{game.public_id}/" in answer.json()["detail"]


def test_scorers_may_not(client: Client, season: Season) -> None:
    add_games(season, [bluff_record(1)])
    secret, _ = member_key(season.club, Role.SCORER)
    assert decide(client, Game.objects.get(), secret).status_code == 403
