"""Lügen-Kniffel by program: records in and out, games, table."""

import json
from io import BytesIO
from typing import Any

import pytest
from django.test import Client

from engine.record.check import check_line
from games.models import Game
from games.models.game import Kind
from league.models import Club, Scoring, Season
from league.records.file.services import file_import
from league.standings.ranking.services.counting import ranking_count
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, kniffel_record, line
from tests.league.core.frame.api.programs import LINES, bearer, code_of, get

SEASON = "/clubs/stern/seasons/kniffel"


@pytest.fixture
def kniffel(club: Club) -> Season:
    return SeasonFactory.create(
        club=club, slug="kniffel", kind=Kind.LUEGEN_KNIFFEL, scoring=Scoring.TOTALS
    )


def send(secret: str, *records: dict[str, Any]) -> Any:
    kind = "application/json" if len(records) == 1 else LINES
    body = b"".join(map(line, records))
    return Client().post(
        "/api/v1/clubs/stern/games/?season=kniffel", body, content_type=kind, headers=bearer(secret)
    )


def test_a_record_goes_in_and_comes_back(kniffel: Season, secret: str) -> None:
    response = send(secret, kniffel_record(1))
    game = Game.objects.get()
    assert (response.status_code, response["Location"]) == (201, f"/api/v1/games/{game.public_id}/")
    answer = get(f"/games/{game.public_id}/record/")
    assert check_line(answer.content).ok
    record = kniffel_record(1)
    assert json.loads(answer.content)["turns"] == record["turns"]
    assert send(secret, json.loads(answer.content)).json()["unchanged"] == 1


def test_a_bad_turn_is_a_problem_with_its_place(kniffel: Season, secret: str) -> None:
    record = kniffel_record(1)
    record["turns"][2]["say"] = "fours=13"
    response = send(secret, record)
    assert code_of(response) == (422, "no_such_announcement")
    problem = response.json()
    assert (problem["turn"], problem["errors"][0]["path"]) == (2, "turns[2].say")
    assert not Game.objects.exists()


def test_bluff_does_not_go_into_a_season_of_luegen_kniffel(
    kniffel: Season, season: Season, secret: str
) -> None:
    assert code_of(send(secret, bluff_record(1))) == (422, "other_game")
    answer = send(secret, kniffel_record(1), bluff_record(2)).json()
    assert [row["outcome"] for row in answer["results"]] == ["created", "bad"]


def test_a_game_tells_its_seats_rules_and_turns(kniffel: Season, secret: str) -> None:
    record = kniffel_record(1)
    send(secret, record)
    ranking_count(ranking_id=kniffel.ranking_id)
    answer = get(f"/games/{Game.objects.get().public_id}/").json()
    assert (answer["game"], answer["rounds"], answer["counted"]) == (
        "luegen-kniffel",
        len(record["turns"]),
        True,
    )
    assert answer["rules"] == {"truth": "exact", "allow_zero": False}
    assert answer["opener"] == record["opener"]
    assert [seat["rank"] for seat in answer["seats"]] == record["result"]["rank"]
    assert [seat["points"] for seat in answer["seats"]] == record["result"]["points"]
    assert all(seat["cntdice"] is None for seat in answer["seats"])
    assert all(seat["rating"]["mu"] for seat in answer["seats"])


def test_season_table_and_ratings(kniffel: Season, secret: str) -> None:
    records = [kniffel_record(seed) for seed in range(3)]
    send(secret, *records)
    ranking_count(ranking_id=kniffel.ranking_id)
    answer = get(f"{SEASON}/").json()
    assert (answer["game"], answer["scoring"]) == ("luegen-kniffel", "totals")
    rows = get(f"{SEASON}/standings/").json()["results"]
    sums = dict.fromkeys(records[0]["seats"], 0)
    for record in records:
        for handle, points in zip(record["seats"], record["result"]["points"], strict=True):
            sums[handle] += points
    assert {row["player"]["handle"]: row["points"] for row in rows} == sums
    assert [row["points"] for row in rows] == sorted(sums.values(), reverse=True)
    assert len(get(f"{SEASON}/ratings/").json()["results"]) == 3


def test_the_file_of_a_season_can_be_imported_again(kniffel: Season, secret: str) -> None:
    send(secret, *[kniffel_record(seed) for seed in range(3)], kniffel_record(4, turns=5))
    content = b"".join(get(f"{SEASON}/games.ndjson"))
    assert all(check_line(exported).ok for exported in content.splitlines())
    report = file_import(stream=BytesIO(content), season=kniffel)
    assert (report.unchanged, report.read) == (4, 4)
