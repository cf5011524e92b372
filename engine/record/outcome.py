"""The outcome: all that a record tells of a game of which only the end is known, in place of its
rounds (turns).

A club that writes down no more than who finished where has it. It is sealed as the one link after
the header, and stored as the one body of its game: the byte `MARK`, the rank of each seat in a
byte, and, where they are told, the points of each seat in two. Where it tells who left, or that
time was up, it is longer:

| bytes | what |
|---|---|
| 1 | `LONG_MARK` |
| 1 | points recorded (bit 0), dice recorded (1), ended by the clock (2) |
| seats | rank of each seat |
| 0 or 2 × seats | points |
| 0 or seats | dice left |
| rest | seats that left, in that order |
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from engine.clock import CLOCK, ENDED, Ended
from engine.illegal import Illegal
from engine.messages import Message, say
from engine.record.shape import Json, bad, items, join, members, one_of, whole, wholes

KEY: Final = "outcome"
"""The key of the record that tells it."""
MARK: Final = 0xFF
"""The first byte of a stored outcome; no round of Bluff and no turn of Lügen-Kniffel begins with
it."""
LONG_MARK: Final = 0xFE
"""The first byte of a stored outcome that tells who left, or that time was up; no round and no turn
begins with it."""
MARKS: Final = (bytes([MARK]), bytes([LONG_MARK]))
POINTS: Final = 2
"""Bytes of the points of a seat."""
HAS_POINTS: Final = 1
HAS_DICE: Final = 1 << 1
BY_CLOCK: Final = 1 << 2
LONG_PARTS: Final = [bytes([parts]) for parts in range(2 * BY_CLOCK)]
NO_OUTCOME: Final = "these bytes are no outcome"
GAP: Final = say("Only the end of the game is known: nobody can check how it came about.")


class KnownEnd(NamedTuple):
    """Who finished where, in seat order. `points` are by the ruleset's scoring; None where nobody
    wrote them down.

    `ended`: the clock ended the game, rulings B20, K17; else None. `dice`: the dice that each seat
    owned then, in Bluff; None where nobody wrote them down. `forfeit`: the seats that left, in that
    order, rulings B17, K15."""

    rank: tuple[int, ...]
    points: tuple[int, ...] | None = None
    dice: tuple[int, ...] | None = None
    forfeit: tuple[int, ...] = ()
    ended: Ended | None = None

    @property
    def stayed(self) -> tuple[int, ...]:
        """The seats that didn't leave."""
        return tuple([seat for seat in range(len(self.rank)) if seat not in self.forfeit])


def read_outcome(value: Json, seats: int, path: str) -> KnownEnd:
    """The outcome of a game with so many seats, which needn't be one that can be; raises
    `Refused`."""
    parts = members(value, path, ("rank",), ("points", "dice", "forfeit", "ended"))
    rank, points, dice = (
        wholes(parts[key], join(path, key), seats) if key in parts else None
        for key in ("rank", "points", "dice")
    )
    assert rank is not None
    forfeit = (
        read_leavers(parts["forfeit"], range(seats), join(path, "forfeit"))
        if "forfeit" in parts
        else ()
    )
    ended = read_ended(parts["ended"], join(path, "ended")) if "ended" in parts else None
    if dice is not None and ended is None:
        raise bad(join(path, "dice"), "goes only together with {keys}", keys="ended")
    return KnownEnd(rank, points, dice, forfeit, ended)


def read_leavers(value: Json, seats: range, path: str) -> tuple[int, ...]:
    """Some of the seats, each once, in their order; raises `Refused`."""
    entries = items(value, path, range(1, len(seats) + 1))
    leavers = [whole(entry, f"{path}[{i}]", seats) for i, entry in enumerate(entries)]
    if len(set(leavers)) < len(leavers):
        raise bad(path, "names a seat twice")
    return tuple(leavers)


def read_ended(value: Json, path: str) -> Ended:
    """The way in which a game ended; raises `Refused`."""
    return one_of(value, path, ENDED)


def outcome_json(end: KnownEnd) -> dict[str, Json]:
    """The outcome as the record tells it."""
    keys: dict[str, Json] = {
        "rank": list(end.rank),
        "points": None if end.points is None else list(end.points),
        "dice": None if end.dice is None else list(end.dice),
        "forfeit": list(end.forfeit) or None,
        "ended": end.ended,
    }
    return {key: value for key, value in keys.items() if value is not None}


def mismatch(key: str, message: Message) -> Illegal:
    """The fault of an outcome that can't be: in its `rank` or its `points`."""
    return Illegal("outcome_mismatch", message, path=f"{KEY}.{key}")


def wrong_rank(rank: Sequence[int]) -> Illegal | None:
    """The fault of ranks that no game ends with; those who share one leave out the next. Rulings
    B12, K13."""
    ranks_by_order = [1 + sum(rival < place for rival in rank) for place in rank]
    if list(rank) == ranks_by_order:
        return None
    return mismatch(
        "rank",
        say(
            (
                "no game ends with the ranks {ranks}: who shares one leaves out the next, as in "
                "1, 2, 2, 4"
            ),
            ranks=list(rank),
        ),
    )


def wrong_leavers(end: KnownEnd) -> Illegal | None:
    """The fault of seats that can't have left in that order: the last seat can't, and who left
    later has the better rank; who left together share one. Rulings B17, K15."""
    if not end.stayed:
        return mismatch("forfeit", say("the last seat can't forfeit"))
    for before, after in pairwise(end.forfeit):
        if end.rank[after] > end.rank[before]:
            return mismatch(
                "forfeit",
                say(
                    "seat {after} left after seat {before}, so it isn't ranked behind",
                    after=after,
                    before=before,
                ),
            )
    return None


def pack_outcome(end: KnownEnd) -> bytes:
    """The stored form of an outcome that is ok."""
    points = b"".join([number.to_bytes(POINTS, "big") for number in end.points or ()])
    if not end.forfeit and end.ended is None:
        return bytes([MARK, *end.rank]) + points
    parts = HAS_POINTS * (end.points is not None) | HAS_DICE * (end.dice is not None)
    parts |= BY_CLOCK * (end.ended is not None)
    return bytes([LONG_MARK, parts, *end.rank]) + points + bytes([*(end.dice or ()), *end.forfeit])


def is_outcome(bodies: Sequence[bytes]) -> bool:
    """True if the bodies of a stored game are an outcome, not rounds (turns)."""
    return len(bodies) == 1 and bodies[0][:1] in MARKS


def unpack_outcome(body: bytes, seats: int) -> KnownEnd:
    """The outcome that `pack_outcome` stored of a game with so many seats; ValueError for other
    bytes."""
    if body[0] == LONG_MARK:
        return _unpack_long(body, seats)
    rank, points = body[1 : 1 + seats], body[1 + seats :]
    if len(rank) < seats or len(points) not in (0, POINTS * seats):
        raise ValueError(NO_OUTCOME)
    return KnownEnd(tuple(rank), _points(points) or None)


def _unpack_long(body: bytes, seats: int) -> KnownEnd:
    parts, rest = body[1:2], body[2:]
    if parts not in LONG_PARTS:
        raise ValueError(NO_OUTCOME)
    has_points, has_dice, by_clock = (
        bool(parts[0] & part) for part in (HAS_POINTS, HAS_DICE, BY_CLOCK)
    )
    columns: list[bytes] = []
    for size in (seats, POINTS * seats * has_points, seats * has_dice):
        columns.append(rest[:size])
        rest = rest[size:]
        if len(columns[-1]) < size:
            raise ValueError(NO_OUTCOME)
    rank, points, dice = columns
    if any(seat >= seats for seat in rest) or len(set(rest)) < len(rest):
        raise ValueError(NO_OUTCOME)
    return KnownEnd(
        rank=tuple(rank),
        points=_points(points) if has_points else None,
        dice=tuple(dice) if has_dice else None,
        forfeit=tuple(rest),
        ended=CLOCK if by_clock else None,
    )


def _points(data: bytes) -> tuple[int, ...]:
    return tuple(
        [int.from_bytes(data[at : at + POINTS], "big") for at in range(0, len(data), POINTS)]
    )
