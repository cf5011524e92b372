"""How players play and what a game's decisions were worth, as programs read it."""

import json

import psycopg
import pytest
from psycopg.rows import TupleRow

from engine.analysis import game as bluff
from engine.analysis import kniffel
from engine.analysis.belief import FITTED
from engine.record.verify import verify_line
from games.domain.game import NotAsSealed
from games.models import Game
from games.models.game import Kind
from games.queries.game import game_record
from league.models import Club, Scoring, Season, Style
from league.records.file.services import record_import
from league.standings.style.services import styles_read
from tests.factories.league import SeasonFactory
from tests.factories.records import kniffel_record, line
from tests.league.core.frame.api.programs import code_of, get, play

SEASON = "/clubs/stern/seasons/autumn"


def test_styles_are_the_stored_sums_with_luck_and_its_range(season: Season) -> None:
    play(season, 1, 2, 3)
    styles_read(ranking_id=season.ranking_id)
    rows = get(f"{SEASON}/styles/").json()["results"]
    stored = {row.player.handle: row.sums for row in Style.objects.select_related("player")}
    assert {row["player"]["handle"] for row in rows} == {"anna", "ben", "cleo"}
    for row in rows:
        sums = stored[row["player"]["handle"]]
        assert {"player": row["player"], **sums.as_json()} == row
        assert row["rolls"] > 0 < row["luck_half"]
    assert sum(row["luck"] for row in rows) == pytest.approx(0, abs=1e-5)


def test_styles_that_a_job_has_added_meanwhile_are_sent_though_the_table_is_the_same(
    season: Season,
) -> None:
    play(season, 1)
    before = get(f"{SEASON}/styles/")
    styles_read(ranking_id=season.ranking_id)
    after = get(f"{SEASON}/styles/", **{"If-None-Match": before["ETag"]})
    assert (before.json()["count"], after.status_code, after.json()["count"]) == (0, 200, 3)
    assert get(f"{SEASON}/styles/", **{"If-None-Match": after["ETag"]}).status_code == 304


def test_the_analysis_of_a_game_is_that_of_the_engine_in_either_light(season: Season) -> None:
    play(season, 1)
    game = Game.objects.get()
    record = game_record(game)
    address = f"/games/{game.public_id}/"
    assert get(address).json()["analysis"] == f"/api/v1{address}analysis/"
    assert get(f"{address}analysis/").json() == bluff.analyse(record).as_json()
    assert get(f"{address}analysis/?light=belief").json() == bluff.analyse(record, FITTED).as_json()
    assert code_of(get(f"{address}analysis/?light=candle")) == (400, "bad_parameter")


def test_luegen_kniffel_has_an_analysis_of_its_own(club: Club) -> None:
    season = SeasonFactory.create(club=club, kind=Kind.LUEGEN_KNIFFEL, scoring=Scoring.TOTALS)
    assert record_import(season=season, line=line(kniffel_record(1))).error is None
    game = Game.objects.get()
    assert (
        get(f"/games/{game.public_id}/analysis/").json()
        == kniffel.analyse(game_record(game)).as_json()
    )


FORGED = [
    "UPDATE games_round SET body = '\\xffff' WHERE number = 2",
    "UPDATE games_round SET digest = sha256('x') WHERE number = 2",
    "DELETE FROM games_round WHERE number = 2",
    "UPDATE games_game SET header = replace(header, '\"opener\":', '\"closer\":')",
    "UPDATE games_seat SET handle = 'mallory' WHERE number = 1",
]


@pytest.mark.parametrize("forged", FORGED)
def test_a_game_that_was_forged_in_the_database_is_a_problem_with_a_code(
    transactional_db: None, season: Season, forger: psycopg.Connection[TupleRow], forged: str
) -> None:
    play(season, 1)
    address = f"/games/{Game.objects.get().public_id}"
    parts = ("", "record/", "notation/", "analysis/")
    assert {get(f"{address}/{part}").status_code for part in parts} == {200}
    forger.execute(forged.encode())
    assert {code_of(get(f"{address}/{part}")) for part in parts} == {(409, "not_as_sealed")}


@pytest.mark.parametrize("forged", FORGED)
def test_the_export_says_of_a_forged_game_what_it_is_and_goes_on(
    transactional_db: None, season: Season, forger: psycopg.Connection[TupleRow], forged: str
) -> None:
    play(season, 1, 2, 3)
    game = Game.objects.get(external_id="game-2")
    where = "id" if "games_game" in forged else "game_id"
    sign = "AND" if "WHERE" in forged else "WHERE"
    forger.execute(f"{forged} {sign} {where} = {game.pk}".encode())
    lines = b"".join(get("/clubs/stern/seasons/autumn/games.ndjson")).splitlines()
    assert json.loads(lines[1]) == {
        "v": 1,
        "id": "game-2",
        "game": "bluff",
        "error": {"code": NotAsSealed.CODE, "message": NotAsSealed.MESSAGE, "game": game.public_id},
    }
    verified = [verify_line(line) for line in lines]
    assert [(one.record_id, one.ok) for one in verified] == [
        ("game-1", True),
        ("game-2", False),
        ("game-3", True),
    ]
