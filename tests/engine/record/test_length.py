"""No game is longer than people can play; who makes one up is stopped before it costs anything."""

import json
from typing import Any

import pytest

from engine.illegal import Illegal
from engine.notation.text import parse
from engine.record.check import check_line
from engine.record.length import MOVES, ROUNDS
from engine.record.record import Record, read

GIVEAWAY = {"exact": "giveaway", "dice": 20}
GIFT = {"moves": ["1x1", "1x2", "!"], "count": 1}
"""An exact hit: a die goes from hand to hand, and the game comes no nearer to its end."""
HEAD = (
    "cups-up notation 1\nGame: bluff\nId: endless\nRules: exact giveaway, dice 20\nSeats: anna, "
    "bea\nOpener: anna\n"
)


def endless(rounds: list[Any], **header: Any) -> str:
    seats = ["anna", "bea"]
    game = {
        "v": 1,
        "id": "endless",
        "game": "bluff",
        "rules": GIVEAWAY,
        "seats": seats,
        "opener": 0,
        "rounds": rounds,
    }
    return json.dumps(game | header)


def bids(number: int) -> str:
    """So many bids; which they are doesn't matter to who only counts them."""
    return " ".join(["1x1"] * number)


def test_a_game_has_no_more_rounds() -> None:
    assert isinstance(read(endless([GIFT] * ROUNDS)), Record)
    refused = read(endless([GIFT] * (ROUNDS + 1)))
    assert isinstance(refused, Illegal)
    assert (refused.code, refused.path) == ("too_many_rounds", "rounds")


def test_nor_more_turns() -> None:
    turns = [{"say": "ones=1"}] * (ROUNDS + 1)
    head = {
        "v": 1,
        "id": "k",
        "game": "luegen-kniffel",
        "rules": {},
        "seats": ["anna", "bea"],
        "opener": 0,
    }
    refused = read(json.dumps(head | {"turns": turns}))
    assert isinstance(refused, Illegal)
    assert (refused.code, refused.path) == ("too_many_rounds", "turns")


@pytest.mark.parametrize("moves", [[MOVES + 1], [MOVES, 1], [MOVES // 2, MOVES // 2, 1]])
def test_a_game_has_no_more_moves(moves: list[int]) -> None:
    rounds = [{"moves": ["1x1"] * number, "count": 1} for number in moves]
    record = read(endless(rounds))
    assert isinstance(record, Record)
    assert record.fault is not None
    assert (record.fault.code, record.fault.round_number) == ("too_many_moves", len(moves) - 1)
    good = read(
        endless(
            [{"moves": ["1x1"] * number, "count": 1} for number in [*moves[:-1], moves[-1] - 1]]
        )
    )
    assert isinstance(good, Record)
    assert good.fault is None


def test_the_checker_tells_the_code_and_the_place() -> None:
    answer = check_line(endless([GIFT] * (ROUNDS + 1))).as_json()
    assert answer["error"] == {
        "code": "too_many_rounds",
        "message": f"has {ROUNDS + 1} entries, but a game can have at most {ROUNDS}",
        "path": "rounds",
    }


def test_a_text_is_no_longer() -> None:
    gifts = "\n".join(f"{number}. 1x1 1x2 ! = 1" for number in range(1, ROUNDS + 2))
    (game,) = parse(HEAD + gifts).games
    assert game.error is not None
    assert (game.error.code, game.error.line) == ("too_many_rounds", ROUNDS + 7)
    assert game.record is not None
    assert len(game.record.rounds) == ROUNDS


@pytest.mark.parametrize(
    ("text", "line"), [(f"1. {bids(MOVES + 1)} !", 7), (f"1. {bids(MOVES)}\n2. 1x1 !", 8)]
)
def test_nor_has_it_more_moves(text: str, line: int) -> None:
    (game,) = parse(HEAD + text).games
    assert game.error is not None
    assert (game.error.code, game.error.line) == ("too_many_moves", line)
