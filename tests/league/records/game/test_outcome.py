"""Games of which only the end is known, as programs enter and read them."""

import json
from typing import Any

import pytest
from django.test import Client

from engine.record.verify import verify_line
from games.models import Game
from league.models import Season
from league.standings.ranking.services.counting import ranking_count
from tests.factories.records import bluff_record, line, outcome_of
from tests.league.core.frame.api.programs import bearer, get, play

pytestmark = pytest.mark.django_db
ENDED = outcome_of(bluff_record(2, seats=("anna", "dora")))


def enter(season: Season, secret: str, keys: dict[str, Any]) -> Any:
    return Client().post(
        f"/api/v1/clubs/{season.club.slug}/games/?season={season.slug}",
        line(keys),
        content_type="application/json",
        headers=bearer(secret),
    )


def test_an_outcome_is_entered_and_read_again(season: Season, secret: str) -> None:
    play(season, 1)
    assert enter(season, secret, ENDED).status_code == 201
    assert enter(season, secret, ENDED).status_code == 200
    ranking_count(ranking_id=season.ranking_id)
    found = get("/clubs/stern/games/").json()["results"]
    played = len(bluff_record(1)["rounds"])
    assert [(row["record_id"], row["only_end"], row["rounds"], row["over"]) for row in found] == [
        ("game-2", True, 0, True),
        ("game-1", False, played, True),
    ]
    game = Game.objects.get(external_id="game-2").public_id
    one = get(f"/games/{game}/").json()
    assert (one["only_end"], one["rounds"], one["counted"]) == (True, 0, True)
    assert [seat["cntdice"] for seat in one["seats"]] == list(ENDED["outcome"]["points"])
    sent = get(f"/games/{game}/record/").content
    assert json.loads(sent)["outcome"] == json.loads(line(ENDED))["outcome"]
    assert verify_line(sent).proved == ("rules", "digests", "seal")
    assert b"Outcome: rank" in get(f"/games/{game}/notation/").content
    assert get(f"/games/{game}/analysis/").json() == {
        "id": "game-2",
        "game": "bluff",
        "seats": ["anna", "dora"],
        "cannot_tell": ["Only the end of the game is known: there is nothing to analyse."],
    }
    rows = get("/clubs/stern/seasons/autumn/standings/").json()["results"]
    assert {row["player"]["handle"]: row["only_end"] for row in rows} == {
        "anna": True,
        "dora": True,
        "ben": False,
        "cleo": False,
    }


def test_b20_an_outcome_by_the_clock_is_entered_and_read_again(season: Season, secret: str) -> None:
    outcome = {"rank": [1, 1], "points": [7, 7], "dice": [3, 3], "ended": "clock"}
    assert enter(season, secret, ENDED | {"outcome": outcome}).status_code == 201
    game = Game.objects.get(external_id="game-2").public_id
    assert [seat["cntdice"] for seat in get(f"/games/{game}/").json()["seats"]] == [7, 7]
    assert json.loads(get(f"/games/{game}/record/").content)["outcome"] == {
        "rank": [1, 1],
        "dice": [3, 3],
        "ended": "clock",
    }


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        ({"rank": [1, 2]}, "bad_record"),
        ({"rank": [1, 1]}, "outcome_mismatch"),
        ({"rank": [1]}, "bad_record"),
        ({"rank": [1, 2], "points": [10, 4]}, "outcome_mismatch"),
    ],
)
def test_what_cannot_be_or_cannot_count_is_refused(
    season: Season, secret: str, outcome: dict[str, Any], code: str
) -> None:
    response = enter(season, secret, ENDED | {"outcome": outcome})
    assert (response.status_code, response.json()["code"]) == (422, code)
    assert not Game.objects.exists()
