"""Two sheets of one game agree in what both tell, whatever depth each was written at."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.record.record import Record, read_value
from engine.sheet.comparison import differing_rounds
from tests.engine.sheet.test_sheet import SEEDS, header, simulated

BIDS = {"moves": ["2x4", "3x4", "!"], "count": 2}
LAST = {"moves": ["3x4", "!"], "bidder": 1, "challenger": 2, "count": 2}
LOSSES = {"losses": [0, 1, 0]}


def record(*rounds: dict[str, Any], **keys: Any) -> Record:
    return _read(header(**keys), rounds)


def _read(head: Record, rounds: Any) -> Record:
    units = [head.kind.read_round(value, len(head.seats), "")[0] for value in rounds]
    return replace(head, rounds=tuple(units))


@pytest.mark.parametrize("game", ["bluff", "luegen-kniffel"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_agrees_with_itself_and_differs_where_its_end_is_missing(
    seed: int, game: str
) -> None:
    head, rounds = simulated(seed, game)
    whole = _read(head, rounds)
    assert differing_rounds(whole, whole) == []
    shorter = replace(whole, rounds=whole.rounds[:-1])
    assert differing_rounds(whole, shorter) == differing_rounds(shorter, whole) == [len(rounds)]


@pytest.mark.parametrize("one", [BIDS, LAST, LOSSES])
@pytest.mark.parametrize("other", [BIDS, LAST, LOSSES])
def test_a_round_agrees_with_itself_told_at_another_depth(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    assert differing_rounds(record(one), record(other)) == []


@pytest.mark.parametrize(
    "other",
    [
        BIDS | {"count": 1},
        BIDS | {"moves": ["2x5", "3x4", "!"]},
        LAST | {"moves": ["3x5", "!"]},
        LAST | {"bidder": 2, "challenger": 0},
        {"losses": [1, 0, 0]},
        {"void": True},
        {"ended": "clock"},
        {"forfeit": [1]},
    ],
)
def test_a_round_of_which_two_tell_something_else_is_named(other: dict[str, Any]) -> None:
    assert differing_rounds(record(BIDS), record(other)) == [1]
    assert differing_rounds(record(other), record(BIDS)) == [1]
    assert differing_rounds(record(BIDS, LOSSES), record(BIDS, {"losses": [0, 0, 1]})) == [2]


def test_an_earlier_bid_that_one_didn_t_note_is_no_difference() -> None:
    """Who notes the last bid alone says nothing of those before it."""
    assert differing_rounds(record({"moves": ["2x5", "3x4", "!"], "count": 2}), record(LAST)) == []


def test_kniffel_tells_what_was_announced_and_what_lay_there() -> None:
    value: Any = {
        "v": 1,
        "id": "g",
        "game": "luegen-kniffel",
        "rules": {},
        "seats": ["a", "b"],
        "opener": 0,
        "turns": [],
    }
    head = read_value(value)
    assert isinstance(head, Record)
    doubted = {"say": "chance=20", "doubts": [1], "dice": "12345"}
    believed = {"say": "chance=20"}
    assert differing_rounds(_read(head, [believed]), _read(head, [believed])) == []
    assert differing_rounds(_read(head, [believed]), _read(head, [{"say": "chance=21"}])) == [1]
    assert differing_rounds(_read(head, [believed]), _read(head, [doubted])) == [1]
