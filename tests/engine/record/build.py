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


def game(
    *rounds: Any, seats: int = 3, opener: int = 0, result: Any = None, **rules: Any
) -> dict[str, Any]:
    """A record of Bluff; `rules` are the keys of its ruleset."""
    written = {
        "v": 1,
        "id": "g",
        "game": "bluff",
        "rules": rules,
        "seats": ["anna", "bea", "cem", "dora", "emil", "fritz", "gustav"][:seats],
        "opener": opener,
        "rounds": list(rounds),
    }
    return written if result is None else written | {"result": result}


def kniffel(
    *turns: Any, seats: int = 3, opener: int = 0, result: Any = None, **rules: Any
) -> dict[str, Any]:
    """A record of Lügen-Kniffel; `rules` are the keys of its ruleset."""
    written = game(seats=seats, opener=opener, result=result, **rules)
    del written["rounds"]
    return written | {"game": "luegen-kniffel", "turns": list(turns)}


def outcome(rank: list[int], points: list[int] | None = None, **rules: Any) -> dict[str, Any]:
    """A record of Bluff of which only the end is known."""
    head = {key: value for key, value in game(seats=len(rank), **rules).items() if key != "rounds"}
    return head | {"outcome": {"rank": rank} | ({} if points is None else {"points": points})}


def kniffel_outcome(rank: list[int], points: list[int] | None = None) -> dict[str, Any]:
    """A record of Lügen-Kniffel of which only the end is known."""
    return outcome(rank, points) | {"game": "luegen-kniffel"}


def verdict(written: Any) -> Verdict:
    return check_line(json.dumps(written))


def fault(written: Any) -> str:
    """The place and code of the fault that the checker finds: `round move code path`."""
    error = verdict(written).error
    assert error is not None, "the game is ok"
    place = [str(number) for number in (error.round_number, error.move) if number is not None]
    return " ".join([*place, error.code, error.path or ""]).strip()


def record(written: Any) -> Record:
    answer = read(json.dumps(written))
    assert isinstance(answer, Record), answer
    return answer


def named(written: Any) -> Record:
    """The record with its names sealed, so that it has digests."""
    plain = record(written)
    return with_names(plain, SALTS[: len(plain.seats)])


def bids(*moves: str, count: int, **more: Any) -> Round:
    return {"moves": [*moves, "!"], "count": count} | more


def dealt(*moves: str, hands: list[str] | None = None, **more: Any) -> Round:
    return {"dealt": hands or HANDS, "moves": list(moves)} | more


def revealed(*moves: str, hands: list[str] | None = None, **more: Any) -> Round:
    return {"revealed": hands or HANDS, "moves": list(moves)} | more


def challenged(bid: str, bidder: int, challenger: int, count: int, **more: Any) -> Round:
    bet = {"moves": [bid, "!"], "bidder": bidder, "challenger": challenger, "count": count}
    return bet | more


def lost(*losses: int, **more: Any) -> Round:
    return {"losses": list(losses)} | more


def left(*seats: int, **more: Any) -> Round:
    return {"forfeit": list(seats)} | more
