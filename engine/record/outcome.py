"""The outcome: all that a record tells of a game of which only the end is known, in place of its rounds (turns).

A club that writes down no more than who finished where has it. It is sealed as the one link after the header, and
stored as the one body of its game: the byte `MARK`, the rank of each seat in a byte, and, where they are told, the
points of each seat in two.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.illegal import Illegal
from engine.messages import Message, say
from engine.record.shape import Json, join, members, wholes

KEY: Final = "outcome"
"""The key of the record that tells it."""
MARK: Final = 0xFF
"""The first byte of a stored outcome; no round of Bluff and no turn of Lügen-Kniffel begins with it."""
POINTS: Final = 2
"""Bytes of the points of a seat."""
GAP: Final = say("Only the end of the game is known: nobody can check how it came about.")


class KnownEnd(NamedTuple):
    """Who finished where, in seat order. `points` are by the ruleset's scoring; None where nobody wrote them down."""

    rank: tuple[int, ...]
    points: tuple[int, ...] | None = None


def read_outcome(value: Json, seats: int, path: str) -> KnownEnd:
    """The outcome of a game with so many seats, which needn't be one that can be; raises `Refused`."""
    parts = members(value, path, ("rank",), ("points",))
    rank, points = (wholes(parts[key], join(path, key), seats) if key in parts else None for key in ("rank", "points"))
    assert rank is not None
    return KnownEnd(rank, points)


def outcome_json(end: KnownEnd) -> dict[str, Json]:
    """The outcome as the record tells it."""
    keys: dict[str, Json] = {"rank": list(end.rank)}
    return keys if end.points is None else keys | {"points": list(end.points)}


def mismatch(key: str, message: Message) -> Illegal:
    """The fault of an outcome that can't be: in its `rank` or its `points`."""
    return Illegal("outcome_mismatch", message, path=f"{KEY}.{key}")


def wrong_rank(rank: Sequence[int]) -> Illegal | None:
    """The fault of ranks that no game ends with; those who share one leave out the next. Rulings B12, K13."""
    ranks_by_order = [1 + sum(rival < place for rival in rank) for place in rank]
    if list(rank) == ranks_by_order:
        return None
    message = say(
        "no game ends with the ranks {ranks}: who shares one leaves out the next, as in 1, 2, 2, 4", ranks=list(rank)
    )
    return mismatch("rank", message)


def pack_outcome(end: KnownEnd) -> bytes:
    """The stored form of an outcome that is ok."""
    points = b"".join([number.to_bytes(POINTS, "big") for number in end.points or ()])
    return bytes([MARK, *end.rank]) + points


def is_outcome(bodies: Sequence[bytes]) -> bool:
    """True if the bodies of a stored game are an outcome, not rounds (turns)."""
    return len(bodies) == 1 and bodies[0][:1] == bytes([MARK])


def unpack_outcome(body: bytes, seats: int) -> KnownEnd:
    """The outcome that `pack_outcome` stored of a game with so many seats; ValueError for other bytes."""
    rank, points = body[1 : 1 + seats], body[1 + seats :]
    if len(rank) < seats or len(points) not in (0, POINTS * seats):
        raise ValueError("these bytes are no outcome")
    numbers = [int.from_bytes(points[at : at + POINTS], "big") for at in range(0, len(points), POINTS)]
    return KnownEnd(tuple(rank), tuple(numbers) or None)
