"""The stage file: read strictly, written canonically."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.scoring.stage.ranking import stage_ranking
from engine.scoring.stage.results import (
    GameResult,
    RoundBye,
    StageParticipant,
    StageResults,
    TableResult,
)
from engine.scoring.stage.rules import StageRules, StageScoring, StageTieBreak
from engine.scoring.stage.stage_file import read_stage, write_stage
from tests.engine.scoring.stage.build import stages

FILE: dict[str, Any] = {
    "v": 1,
    "scoring": "cntdice",
    "size": 4,
    "tie_breaks": ["head_to_head", "lots"],
    "seed": "autumn cup",
    "participants": [
        {"id": "a", "name": "Ana", "seeding": 1, "carried": "28/3"},
        {"id": "b", "withdrawn": True},
        {"id": "c", "carried": 2},
    ],
    "rounds": [
        {
            "tables": [{"players": ["a", "b"], "games": [{"rank": [1, 2], "cntdice": [10, 5]}]}],
            "byes": ["c"],
        },
        {"tables": [{"players": ["c", "a"], "games": []}]},
    ],
}


def refused(value: Any) -> tuple[str, str | None]:
    fault = read_stage(json.dumps(value))
    assert isinstance(fault, Illegal)
    return fault.code, fault.path


def test_a_file_is_read_as_its_format_says() -> None:
    assert read_stage(json.dumps(FILE)) == StageResults(
        StageRules(
            StageScoring.CNTDICE, 4, (StageTieBreak.HEAD_TO_HEAD, StageTieBreak.LOTS), "autumn cup"
        ),
        (
            StageParticipant("a", "Ana", 1, Fraction(28, 3)),
            StageParticipant("b", "b", withdrawn=True),
            StageParticipant("c", "c", carried=Fraction(2)),
        ),
        (TableResult(1, ("a", "b"), (GameResult((1, 2), (10, 5)),)), TableResult(2, ("c", "a"))),
        (RoundBye(1, "c"),),
    )


def test_the_number_of_games_and_the_bye_may_be_given() -> None:
    read = read_stage(json.dumps(FILE | {"games": 3, "bye": "7/2"}))
    assert isinstance(read, StageResults)
    assert (read.rules.games, read.rules.bye) == (3, Fraction(7, 2))


def test_a_game_tells_dice_scores_or_totals_or_neither() -> None:
    games: list[dict[str, Any]] = [
        {"rank": [1, 2], "totals": [231, 180]},
        {"rank": [2, 1]},
        {"rank": [1, 1], "cntdice": [5, 5]},
    ]
    value = FILE | {
        "scoring": "placement",
        "games": 3,
        "rounds": [{"tables": [{"players": ["a", "b"], "games": games}]}],
    }
    read = read_stage(json.dumps(value))
    assert isinstance(read, StageResults)
    assert read.tables[0].games == (
        GameResult((1, 2), totals=(231, 180)),
        GameResult((2, 1)),
        GameResult((1, 1), cntdice=(5, 5)),
    )
    assert json.loads(write_stage(read))["rounds"][0]["tables"][0]["games"] == games


def test_a_game_whose_points_are_unknown_is_written_and_read_as_one_that_is_over() -> None:
    value = FILE | {"rounds": [{"tables": [{"players": ["a", "b"], "games": [{"rank": [1, 2]}]}]}]}
    read = read_stage(json.dumps(value))
    assert isinstance(read, StageResults)
    assert read.tables[0].games == (GameResult((1, 2)),)
    assert json.loads(write_stage(read))["rounds"] == value["rounds"]


def test_free_tables_are_said_to_be_free() -> None:
    read = read_stage(json.dumps(FILE | {"free": True}))
    assert isinstance(read, StageResults)
    assert read.rules.free
    assert json.loads(write_stage(read))["free"] is True
    assert "free" not in json.loads(
        write_stage(replace(read, rules=replace(read.rules, free=False)))
    )


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"free": 1}, ("bad_stage", "free")),
        ({"v": 2}, ("bad_stage", "v")),
        ({"scoring": "sum"}, ("bad_stage", "scoring")),
        ({"size": 9}, ("bad_stage", "size")),
        ({"size": "4"}, ("bad_stage", "size")),
        ({"tie_breaks": ["wins", "rating"]}, ("bad_stage", "tie_breaks[1]")),
        ({"tie_breaks": [["wins"]]}, ("bad_stage", "tie_breaks[0]")),
        ({"seed": ""}, ("bad_stage", "seed")),
        ({"games": 0}, ("bad_stage", "games")),
        ({"bye": 1.5}, ("bad_stage", "bye")),
        ({"bye": "1/0"}, ("bad_stage", "bye")),
        ({"bye": -1}, ("bad_stage", "bye")),
        ({"colour": "red"}, ("unknown_key", "colour")),
        (
            {"participants": [{"id": "a", "handle": "ana"}]},
            ("unknown_key", "participants[0].handle"),
        ),
        ({"participants": [{"name": "Ana"}]}, ("bad_stage", "participants[0].id")),
        ({"participants": [{"id": "a"}, {"id": "a"}]}, ("bad_stage", "participants[1].id")),
        (
            {"participants": [{"id": "a", "withdrawn": 1}]},
            ("bad_stage", "participants[0].withdrawn"),
        ),
        ({"rounds": [{}]}, ("bad_stage", "rounds[0].tables")),
        (
            {"rounds": [{"tables": [{"players": ["a"], "games": []}]}]},
            ("bad_stage", "rounds[0].tables[0].players"),
        ),
        ({"rounds": [{"tables": [], "byes": [1]}]}, ("bad_stage", "rounds[0].byes[0]")),
        (
            {"rounds": [{"tables": [{"players": ["a", "b"], "games": [{"rank": [1, True]}]}]}]},
            ("bad_stage", "rounds[0].tables[0].games[0].rank[1]"),
        ),
    ],
)
def test_what_the_format_does_not_know_is_refused_with_its_path(
    change: Any, fault: tuple[str, str]
) -> None:
    assert refused(FILE | change) == fault


@pytest.mark.parametrize(
    "key", ["v", "scoring", "size", "tie_breaks", "seed", "participants", "rounds"]
)
def test_no_key_may_be_missing(key: str) -> None:
    assert refused({name: value for name, value in FILE.items() if name != key}) == (
        "bad_stage",
        key,
    )


@pytest.mark.parametrize(
    "line", [b"", b"{", b"\xff", b'{"v": 1, "v": 1}', b"[" * 100_000, b'{"v": NaN}']
)
def test_what_is_no_json_is_told_so(line: bytes) -> None:
    fault = read_stage(line)
    assert isinstance(fault, Illegal)
    assert fault.code == "bad_json"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=3),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(list(FILE)), inner),
    )
)
def test_nothing_raises_an_exception(value: Any) -> None:
    assert isinstance(read_stage(json.dumps(value)), Illegal)


@given(stages())
def test_what_is_written_is_read_as_the_same_stage(played: StageResults) -> None:
    line = write_stage(played)
    read = read_stage(line)
    assert isinstance(read, StageResults)
    assert stage_ranking(read) == stage_ranking(played)
    assert write_stage(read) == line


def test_the_order_of_the_parts_does_not_change_what_is_written() -> None:
    read = read_stage(json.dumps(FILE))
    assert isinstance(read, StageResults)
    turned = replace(read, participants=read.participants[::-1], tables=read.tables[::-1])
    assert write_stage(turned) == write_stage(read)
