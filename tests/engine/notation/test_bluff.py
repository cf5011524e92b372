"""One round of Bluff as one line: every level, every way to type it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.notation.bluff import read, write
from engine.notation.lexer import Cursor, TextLine
from engine.record.bluff.round import read_round, round_json
from engine.record.shape import Json
from tests.engine.notation.notated import ODD, bluff_rounds
from tests.engine.record.build import bids, challenged, dealt, left, lost, revealed

HANDLES = ("anna", "Bea C.", "dora")


def round_of(line: str, handles: tuple[str, ...] = HANDLES) -> dict[str, Json]:
    """The round that a line tells, as the record has it."""
    return round_json(read(Cursor(TextLine(1, line, line)), handles))


def line_of(keys: dict[str, Json], handles: tuple[str, ...] = HANDLES) -> str:
    """The line for a round that the record has."""
    round, fault = read_round(keys, len(handles), "")
    assert round is not None
    assert fault is None
    return write(round, handles)


@pytest.mark.parametrize(
    ("line", "round_"),
    [
        ("3x2 5x2 6x4 ! = 9", bids("3x2", "5x2", "6x4", count=9)),
        ("3x2 ! | 12345 1133* -", revealed("3x2", "!", hands=["12345", "1133*", ""])),
        ("| 12345 1133* - | 3x2 !", dealt("3x2", "!", hands=["12345", "1133*", ""])),
        ("| 12345 1133* - |", dealt(hands=["12345", "1133*", ""])),
        ("| 12345 1133* -", revealed(hands=["12345", "1133*", ""])),
        (
            "| 1245* 1 - | 5x1/1*>245 3x* !",
            dealt("5x1/1*>245", "3x*", "!", hands=["1245*", "1", ""]),
        ),
        ("5x1/11** 6x1/ 7x1/2>", {"moves": ["5x1/11**", "6x1/", "7x1/2>"]}),
        ('anna 7x1 "Bea C." ! = 10', challenged("7x1", 0, 1, 10)),
        ("dora anna 7x1 8x1 ! = 10", challenged("7x1", 2, 0, 10) | {"moves": ["7x1", "8x1", "!"]}),
        ("dora dora = -1", {"moves": [], "bidder": 2, "challenger": 2, "count": -1}),
        ("-2 0 -1", lost(2, 0, 1)),
        ("-1 +1 0", lost(1, -1, 0)),
        ("dora: -2 0 0", lost(2, 0, 0, opener=2)),
        ("dora: 3x2 ! = 9", bids("3x2", count=9, opener=2)),
        ("3x2 ! = 9 (0 -1 0)", bids("3x2", count=9, losses=[0, 1, 0])),
        ("(0 -1 0)", {"moves": [], "losses": [0, 1, 0]}),
        ("", {"moves": []}),
        ("= 3", {"moves": [], "count": 3}),
        ("forfeit anna dora", left(0, 2)),
        ("dora: forfeit anna", left(0, opener=2)),
        ("3x2 void forfeit anna", left(0, void=True, moves=["3x2"])),
        ("void forfeit anna", left(0, void=True, moves=[])),
        (
            "| 1 2 3 | 3x2 void forfeit anna",
            dealt("3x2", hands=["1", "2", "3"], forfeit=[0], void=True),
        ),
        ("40x5 20x* !", {"moves": ["40x5", "20x*", "!"]}),
    ],
)
def test_a_line_tells_a_round(line: str, round_: dict[str, Json]) -> None:
    assert round_of(line) == round_
    assert line_of(round_) == line


@pytest.mark.parametrize(
    "line",
    [
        "3x2 4x* 5x1/1* ! | 12345 1133* -",
        "3X2 4X★ 5×1/1⭐ ! | 54321 ★3311 –",
        "  3 x 2,4 × ☆ , 5x1/*1!|12345 133*1 -",
        "3*2 4** 5*1/⭐️1 ! | 12345, 1*313, −",
        "3*2\t4* 05x1/★1\u00a0!|12345 1331⭐️ - ",
    ],
)
def test_a_line_may_be_typed_in_many_ways(line: str) -> None:
    assert line_of(round_of(line)) == "3x2 4x* 5x1/1* ! | 12345 1133* -"


@pytest.mark.parametrize(
    "line",
    ["3x2 ! = 9 -2 0 +1", "3x2! =9 (−2,0,+1)", "3x2 ! =9( –2 0 +1 )", "3x2 ! = +9, -2, 0, +1"],
)
def test_losses_may_stand_beside_what_tells_them(line: str) -> None:
    assert round_of(line) == bids("3x2", count=9, losses=[2, 0, -1])


@pytest.mark.parametrize(
    "name",
    ["anna", "Anna", "A", "an", '"anna"', '"AN"'],
    ids=["handle", "large", "initial", "start", "quoted", "both"],
)
def test_a_player_may_be_named_by_a_start_that_only_one_has(name: str) -> None:
    assert round_of(f"{name} 7x1 b ! = 3") == challenged("7x1", 0, 1, 3)


def test_a_handle_comes_before_a_start() -> None:
    alike = ("annabel", "Ann", "ANN", "ann-kathrin", "bea")
    assert round_of("Ann ann-kathrin = 1", alike) == {
        "bidder": 1,
        "challenger": 3,
        "count": 1,
        "moves": [],
    }
    assert round_of("ANNABEL ANN-K = 1", ("annabella", "Annabel", "Ann-kathrin"))["bidder"] == 1
    assert round_of("ANN annab = 1", alike) == {
        "bidder": 2,
        "challenger": 0,
        "count": 1,
        "moves": [],
    }


@pytest.mark.parametrize("name", ODD)
def test_odd_handles_are_read_as_they_are_written(name: str) -> None:
    handles = (name, "karla", "ludo")
    for round_ in (
        left(0, 1),
        left(0, opener=0),
        challenged("3x2", 0, 1, 5),
        challenged("3x2", 1, 0, 5),
    ):
        assert round_of(line_of(round_, handles), handles) == round_


@given(st.data(), st.integers(2, 6))
def test_any_round_that_the_record_can_tell_is_read_as_it_is_written(
    data: st.DataObject, seats: int
) -> None:
    round_ = round_json(data.draw(bluff_rounds(seats)))
    handles = tuple(f"player {seat}" for seat in range(seats))
    assert round_of(line_of(round_, handles), handles) == round_
