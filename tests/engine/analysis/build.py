"""Records and moments for the tests of the analysis."""

import json
from typing import Any

from engine.analysis.moment import ReplayedRound, replayed_rounds
from engine.illegal import Illegal
from engine.record.record import Record, read


def record(*rounds: dict[str, Any], dice: int = 5, seats: int = 2, **rules: Any) -> Record:
    """A game of Bluff that seat 0 opens."""
    value = {
        "v": 1,
        "id": "evening-1",
        "game": "bluff",
        "rules": {"dice": dice} | rules,
        "seats": [f"player {seat}" for seat in range(seats)],
        "opener": 0,
        "rounds": list(rounds),
    }
    return of(value)


def of(value: dict[str, Any]) -> Record:
    """The record that a JSON object tells."""
    read_record = read(json.dumps(value))
    assert not isinstance(read_record, Illegal), read_record
    return read_record


def first_round(game: Record) -> ReplayedRound:
    return next(replayed_rounds(game))
