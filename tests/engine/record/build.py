"""Records of Bluff for tests, written as short as they can be read."""

import json
from typing import Any

from engine.record.check import check_line
from engine.record.record import Record, read, with_names
from engine.record.verdict import Verdict

Round = dict[str, Any]
SALTS = [bytes([seat]) * 16 for seat in range(8)]
HANDS = ["12345", "2245*", "1133*"]
"""Three seats with five dice each; 2s with stars: 5."""


def game(*rounds: Any, seats: int = 3, opener: int = 0, result: Any = None, **rules: Any) -> dict[str, Any]:
    """A record of Bluff; `rules` are the keys of its ruleset."""
    told = {
        "v": 1,
        "id": "g",
        "game": "bluff",
        "rules": rules,
        "seats": ["anna", "bea", "cem", "dora", "emil", "fritz", "gustav"][:seats],
        "opener": opener,
        "rounds": list(rounds),
    }
    return told if result is None else told | {"result": result}


def verdict(told: Any) -> Verdict:
    return check_line(json.dumps(told))


def fault(told: Any) -> str:
    """The place and code of the fault that the checker finds: `round move code path`."""
    error = verdict(told).error
    assert error is not None, "the game is ok"
    place = [str(number) for number in (error.round, error.move) if number is not None]
    return " ".join([*place, error.code, error.path or ""]).strip()


def record(told: Any) -> Record:
    answer = read(json.dumps(told))
    assert isinstance(answer, Record), answer
    return answer


def named(told: Any) -> Record:
    """The record with its names sealed, so that it has digests."""
    plain = record(told)
    return with_names(plain, SALTS[: len(plain.seats)])


def bids(*moves: str, count: int, **more: Any) -> Round:
    return {"moves": [*moves, "!"], "count": count} | more


def dealt(*moves: str, hands: list[str] | None = None, **more: Any) -> Round:
    return {"dealt": hands or HANDS, "moves": list(moves)} | more


def revealed(*moves: str, hands: list[str] | None = None, **more: Any) -> Round:
    return {"revealed": hands or HANDS, "moves": list(moves)} | more


def challenged(bid: str, bidder: int, challenger: int, count: int, **more: Any) -> Round:
    told = {"moves": [bid, "!"], "bidder": bidder, "challenger": challenger, "count": count}
    return told | more


def lost(*losses: int, **more: Any) -> Round:
    return {"losses": list(losses)} | more


def left(*seats: int, **more: Any) -> Round:
    return {"forfeit": list(seats)} | more
