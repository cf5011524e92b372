"""One turn of Lügen-Kniffel as one line."""

import pytest
from hypothesis import given

from engine.notation.kniffel import read, write
from engine.notation.lexer import Cursor, Row
from engine.record.kniffel.turn import TurnRecord, turn_json
from engine.record.shape import Json
from tests.engine.notation.notated import turns

HANDLES = ("anna", "Bea C.", "dora")


def told(line: str) -> dict[str, Json]:
    return read(Cursor(Row(1, line, line)), HANDLES)


@pytest.mark.parametrize(
    ("line", "turn"),
    [
        ("fours=12", {"say": "fours=12"}),
        ("kniffel=50 ? dora", {"say": "kniffel=50", "doubts": [2]}),
        ('chance=22 ? "Bea C." dora | 34456', {"say": "chance=22", "doubts": [1, 2], "dice": "34456"}),
        ("ones=0 | 34456", {"say": "ones=0", "dice": "34456"}),
        ("24445 fours=12", {"rolls": ["24445"], "say": "fours=12"}),
        (
            '24445 44>466 4>15 fours=12 ? "Bea C."',
            {"rolls": ["24445", "44>466", "4>15"], "say": "fours=12", "doubts": [1]},
        ),
    ],
)
def test_a_line_tells_a_turn(line: str, turn: dict[str, Json]) -> None:
    assert told(line) == turn
    assert write(turn, HANDLES, "") == line


@pytest.mark.parametrize(
    "line",
    [
        "24445 44>466 4>15 fours=12 ? Bea dora",
        " 44425,44>664,4>51,Fours 12?d,b",
        ">54244 44>466 4>51 FOURS: 12 ? DORA, BEA | 15444",
        "24445 44>466 4>15 fours = 12 ? bea dora",
    ],
)
def test_a_line_may_be_typed_in_many_ways(line: str) -> None:
    assert write(told(line), HANDLES, "") == '24445 44>466 4>15 fours=12 ? "Bea C." dora'


@given(turns(3))
def test_any_turn_that_the_record_can_tell_is_read_as_it_is_written(told_turn: TurnRecord) -> None:
    turn = turn_json(told_turn)
    assert told(write(turn, HANDLES, "")) == turn


@pytest.mark.parametrize(
    ("turn", "message"),
    [
        ({}, "say is missing"),
        ({"say": "fours=12", "doubts": [3]}, "doubts names a seat that isn't at the table"),
        ({"say": "fours=12", "doubts": [-1]}, "doubts names a seat that isn't at the table"),
        ({"say": "fours=12", "rolls": ["44425", "55>444"]}, "only dice of the roll just before can stay"),
    ],
)
def test_a_turn_that_cannot_be_read_cannot_be_written(turn: dict[str, Json], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        write(turn, HANDLES, "turns[0]")
