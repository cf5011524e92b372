"""A whole season of games, and games played by a second reading of the rulings, through the checker."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.record.lines import read_lines
from tests.engine.record.build import game, verdict
from tests.engine.record.simulated import random_game

SEASON = Path(__file__).parents[2] / "golden" / "herbstliga-2026.jsonl.gz"


def season() -> list[dict[str, Any]]:
    with gzip.open(SEASON) as lines:
        return [json.loads(line) for line in lines]


def test_all_180_games_of_the_season_are_ok_and_end_as_they_say() -> None:
    games = season()
    assert len(games) == 180
    for told in games:
        answer = verdict(told)
        assert answer.ok, answer.error
        assert (answer.id, answer.over) == (told["id"], True)
        result = told.pop("result")
        assert verdict(told).as_json()["rank"] == result["rank"]
        assert verdict(told).as_json()["points"] == result["points"]


def test_the_stored_season_is_read_line_by_line() -> None:
    with SEASON.open("rb") as stream:
        assert [line.number for line in read_lines(stream)] == list(range(1, 181))


@given(st.integers())
def test_simulated_games_are_ok_and_end_as_they_say(seed: int) -> None:
    told = random_game(seed)
    answer = verdict(told)
    assert answer.ok, answer.error
    assert list(answer.rank or ()) == told["result"]["rank"]
    assert list(answer.points or ()) == told["result"]["points"]


@given(st.integers(), st.data())
def test_a_game_cut_off_between_two_rounds_is_ok_and_not_over(seed: int, data: st.DataObject) -> None:
    told = random_game(seed)
    whole = verdict(told).rounds
    del told["result"]
    told["rounds"] = told["rounds"][: data.draw(st.integers(0, len(told["rounds"]) - 1))]
    answer = verdict(told)
    assert answer.ok, answer.error
    assert not answer.over
    assert answer.rounds == whole[: len(answer.rounds)]


@given(st.integers(), st.data())
def test_a_claimed_result_that_is_wrong_is_found(seed: int, data: st.DataObject) -> None:
    told = random_game(seed)
    key = data.draw(st.sampled_from(["rank", "points"]))
    seat = data.draw(st.integers(0, len(told["seats"]) - 1))
    told["result"] = json.loads(json.dumps(told["result"]))
    told["result"][key][seat] += 1
    error = verdict(told).error
    assert error is not None
    assert (error.code, error.path) == ("result_mismatch", f"result.{key}")


@given(st.integers())
def test_a_round_more_than_the_game_has_is_found(seed: int) -> None:
    told = random_game(seed)
    told["rounds"].append(told["rounds"][0])
    error = verdict(told).error
    assert error is not None
    assert (error.code, error.round) == ("game_over", len(told["rounds"]) - 1)


@pytest.mark.parametrize("level", ["count", "losses"])
@given(st.integers())
def test_a_figure_that_is_wrong_by_one_die_never_passes_unseen(level: str, seed: int) -> None:
    told = random_game(seed)
    before = verdict(told)
    for told_round in told["rounds"]:
        if level in told_round:
            figure = told_round[level]
            told_round[level] = figure + 1 if level == "count" else [figure[0] + 1, *figure[1:]]
            assert verdict(told).as_json() != before.as_json()
            return
    assert before.ok


def test_a_game_without_rounds_has_not_begun() -> None:
    assert not verdict(game()).over
