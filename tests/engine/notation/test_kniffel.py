"""One turn of Lügen-Kniffel as one line."""

import pytest
from hypothesis import given

from engine.kniffel.combinations import Announcement
from engine.notation.kniffel import read, write
from engine.notation.lexer import Cursor, TextLine
from engine.record.kniffel.turn import TurnRecord, turn_json
from engine.record.shape import Json
from tests.engine.notation.notated import turns

HANDLES = ("anna", "Bea C.", "dora")


def turn_of(line: str) -> TurnRecord:
    return read(Cursor(TextLine(1, line, line)), HANDLES)


@pytest.mark.parametrize(
    ("line", "turn"),
    [
        ("fours=12", {"say": "fours=12"}),
        ("kniffel=50 ? dora", {"say": "kniffel=50", "doubts": [2]}),
        (
            'chance=22 ? "Bea C." dora | 34456',
            {"say": "chance=22", "doubts": [1, 2], "dice": "34456"},
        ),
        ("ones=0 | 34456", {"say": "ones=0", "dice": "34456"}),
        ("24445 fours=12", {"rolls": ["24445"], "say": "fours=12"}),
        (
            '24445 44>466 4>15 fours=12 ? "Bea C."',
            {"rolls": ["24445", "44>466", "4>15"], "say": "fours=12", "doubts": [1]},
        ),
    ],
)
def test_a_line_tells_a_turn(line: str, turn: dict[str, Json]) -> None:
    assert turn_json(turn_of(line)) == turn
    assert write(turn_of(line), HANDLES) == line


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
    assert write(turn_of(line), HANDLES) == '24445 44>466 4>15 fours=12 ? "Bea C." dora'


@given(turns(3))
def test_any_turn_that_the_record_can_tell_is_read_as_it_is_written(recorded: TurnRecord) -> None:
    assert turn_json(turn_of(write(recorded, HANDLES))) == turn_json(recorded)


@pytest.mark.parametrize("doubter", [3, -1])
def test_who_is_not_at_the_table_cannot_be_written(doubter: int) -> None:
    with pytest.raises(ValueError, match="doubts names a seat that isn't at the table"):
        write(TurnRecord(Announcement("fours", 12), (doubter,)), HANDLES)
