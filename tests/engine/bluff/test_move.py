import pytest

from engine.bluff.move import CHALLENGE, LayOut, Move, move_text, parse_move
from engine.bluff.track import BID, TEXT
from engine.illegal import Illegal


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("7x4", BID["7x4"]),
        ("3x*", BID["3x*"]),
        ("!", CHALLENGE),
        ("7x4/4*", LayOut(BID["7x4"], "4*")),
        ("7x4/4*>125", LayOut(BID["7x4"], "4*", "125")),
        ("7x4/", LayOut(BID["7x4"], "")),
        ("7x4/>", LayOut(BID["7x4"], "", "")),
    ],
)
def test_moves_are_read_and_written(text: str, move: Move) -> None:
    assert parse_move(text) == move
    assert move_text(move) == text


def test_every_bid_is_a_move() -> None:
    assert [parse_move(text) for text in TEXT] == list(range(220))


def test_laid_out_dice_may_stand_in_any_order() -> None:
    assert parse_move("7x4/*4>521") == parse_move("7x4/4*>125")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("7x4/6", "bad_face"),
        ("7x4/4>6", "bad_face"),
        ("7x4/4>1>2", "bad_face"),
        ("41x4/4", "no_such_field"),
        ("!!", "bad_record"),
        ("/4", "bad_record"),
        ("7x4>4", "bad_record"),
    ],
)
def test_what_is_no_move_says_why(text: str, code: str) -> None:
    wrong = parse_move(text)
    assert isinstance(wrong, Illegal)
    assert wrong.code == code
