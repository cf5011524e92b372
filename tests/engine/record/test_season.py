"""A whole season of games, and games played by a second reading of the rulings, through the
checker."""

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
    for listed in games:
        answer = verdict(listed)
        assert answer.ok, answer.error
        assert (answer.record_id, answer.over) == (listed["id"], True)
        result = listed.pop("result")
        assert verdict(listed).as_json()["rank"] == result["rank"]
        assert verdict(listed).as_json()["points"] == result["points"]


def test_the_stored_season_is_read_line_by_line() -> None:
    with SEASON.open("rb") as stream:
        assert [line.number for line in read_lines(stream)] == list(range(1, 181))


@given(st.integers())
def test_simulated_games_are_ok_and_end_as_they_say(seed: int) -> None:
    simulated = random_game(seed)
    answer = verdict(simulated)
    assert answer.ok, answer.error
    assert list(answer.rank or ()) == simulated["result"]["rank"]
    assert list(answer.points or ()) == simulated["result"]["points"]


@given(st.integers(), st.data())
def test_a_game_cut_off_between_two_rounds_is_ok_and_not_over(
    seed: int, data: st.DataObject
) -> None:
    simulated = random_game(seed)
    whole = verdict(simulated).rounds
    del simulated["result"]
    simulated["rounds"] = simulated["rounds"][
        : data.draw(st.integers(0, len(simulated["rounds"]) - 1))
    ]
    answer = verdict(simulated)
    assert answer.ok, answer.error
    assert not answer.over
    assert answer.rounds == whole[: len(answer.rounds)]


@given(st.integers(), st.data())
def test_a_claimed_result_that_is_wrong_is_found(seed: int, data: st.DataObject) -> None:
    simulated = random_game(seed)
    key = data.draw(st.sampled_from(["rank", "points"]))
    seat = data.draw(st.integers(0, len(simulated["seats"]) - 1))
    simulated["result"] = json.loads(json.dumps(simulated["result"]))
    simulated["result"][key][seat] += 1
    error = verdict(simulated).error
    assert error is not None
    assert (error.code, error.path) == ("result_mismatch", f"result.{key}")


@given(st.integers())
def test_a_round_more_than_the_game_has_is_found(seed: int) -> None:
    simulated = random_game(seed)
    simulated["rounds"].append(simulated["rounds"][0])
    error = verdict(simulated).error
    assert error is not None
    assert (error.code, error.round_number) == ("game_over", len(simulated["rounds"]) - 1)


@pytest.mark.parametrize("level", ["count", "losses"])
@given(st.integers())
def test_a_figure_that_is_wrong_by_one_die_never_passes_unseen(level: str, seed: int) -> None:
    simulated = random_game(seed)
    before = verdict(simulated)
    for round_ in simulated["rounds"]:
        if level in round_:
            figure = round_[level]
            round_[level] = figure + 1 if level == "count" else [figure[0] + 1, *figure[1:]]
            assert verdict(simulated).as_json() != before.as_json()
            return
    assert before.ok


def test_a_game_without_rounds_has_not_begun() -> None:
    assert not verdict(game()).over
