"""Knock-outs in the draw file: read and written alike, and refused with the path of what is
wrong."""

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.pairing.brackets.bracket import BracketInput
from engine.pairing.brackets.bracket_file import (
    bracket_input_json,
    bracket_round_json,
    read_bracket,
)
from engine.record.shape import Object
from tests.engine.pairing.chances import chances
from tests.engine.pairing.knockouts import after, by_chance, drawn, knockout, knockouts


def written(**changes: object) -> Object:
    """A knock-out of three as JSON, with other keys, without those that are None."""
    file: dict[str, object] = {
        "v": 1,
        "sizes": [2],
        "seed": "x",
        "players": [{"id": "b", "score": 4}, {"id": "c", "score": 9}, {"id": "a", "score": 4}],
        "bracket": {"kind": "single", "advance": 1},
    }
    file |= changes
    read: Object = json.loads(
        json.dumps({key: value for key, value in file.items() if value is not None})
    )
    return read


def test_the_highest_score_is_seeded_best() -> None:
    assert read_bracket(written()) == BracketInput(2, 1, "single", "x", ("c", "a", "b"))


def test_all_keys() -> None:
    bracket = {"kind": "single", "advance": 1, "third": True}
    read = read_bracket(written(bracket=bracket, finished=[[["a", "b"]]], absent=["b", "c"]))
    assert read == BracketInput(
        2, 1, "single", "x", ("c", "a", "b"), ((("a", "b"),),), frozenset({"b", "c"}), third=True
    )


@given(knockouts(), st.booleans(), chances)
def test_what_is_written_reads_as_the_same(cup: BracketInput, third: bool, chance: Random) -> None:
    cup = replace(cup, third=third and cup.kind == "single", absent=frozenset(cup.participants[:2]))
    for _ in range(2):
        assert read_bracket(json.loads(json.dumps(bracket_input_json(cup)))) == cup
        if not drawn(cup).over:
            cup = by_chance(cup, chance)


def test_a_knock_out_of_before_names_the_version_of_its_plan() -> None:
    cup = knockout(10, kind="double")
    of_before = replace(cup, version=1)
    value = bracket_input_json(of_before)
    assert value["bracket"] == {"kind": "double", "advance": 1, "version": 1}
    assert read_bracket(value) == of_before
    unnamed = bracket_input_json(cup)
    assert unnamed["bracket"] == {"kind": "double", "advance": 1}
    assert read_bracket(unnamed, 1) == of_before
    assert bracket_round_json(drawn(of_before))["version"] == 1


@pytest.mark.parametrize("version", [0, 3, "1"])
def test_a_version_that_there_is_not_is_refused(version: object) -> None:
    fault = read_bracket(written(bracket={"kind": "double", "advance": 1, "version": version}))
    assert isinstance(fault, Illegal)
    assert (fault.code, fault.path) == ("bad_draw", "bracket.version")


def test_the_answer() -> None:
    cup = replace(after(knockout(5), "p4 p5"), absent=frozenset({"p1"}))
    answer = bracket_round_json(drawn(cup))
    assert answer["labels"] == ["W2.2"]
    assert answer["why"] == [["seed 2 meets seed 3"]]
    assert answer["walkovers"] == [
        {
            "label": "W2.1",
            "order": ["p4", "p1"],
            "why": [
                "seed 1 meets the winner of W1.1",
                "too many of them are absent: nobody present could go out",
            ],
        }
    ]
    assert (answer["ok"], answer["bye"], answer["over"], answer["version"]) == (True, [], False, 2)
    assert answer["places"] == [
        *[{"id": id, "place": 1, "out": None} for id in ("p1", "p2", "p3", "p4")],
        {"id": "p5", "place": 5, "out": "W1.1"},
    ]
    json.dumps(answer)


@pytest.mark.parametrize(
    ("changes", "code", "path"),
    [
        ({"v": 2}, "bad_draw", "v"),
        ({"sizes": [4, 3]}, "bad_draw", "sizes"),
        ({"sizes": [7]}, "no_such_sizes", "sizes"),
        ({"seed": None}, "bad_draw", "seed"),
        ({"players": [{"id": "a"}]}, "bad_draw", "players[0].score"),
        ({"players": [{"id": "a", "score": 1}]}, "too_few", "players"),
        ({"bracket": {"kind": "triple", "advance": 1}}, "bad_draw", "bracket.kind"),
        ({"bracket": {"kind": "single", "advance": 2}}, "bad_draw", "bracket.advance"),
        ({"bracket": {"kind": "single", "advance": 1, "extra": 1}}, "unknown_key", "bracket.extra"),
        ({"finished": [[["a", 1]]]}, "bad_draw", "finished[0][0][1]"),
        ({"absent": "a"}, "bad_draw", "absent"),
        ({"rounds": 3}, "unknown_key", "rounds"),
    ],
)
def test_a_file_that_cant_be(changes: dict[str, object], code: str, path: str) -> None:
    read = read_bracket(written(**changes))
    assert isinstance(read, Illegal)
    assert (read.code, read.path) == (code, path)
