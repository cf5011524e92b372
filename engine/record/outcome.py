"""The outcome: what a record has in place of rounds (turns) if only the end of the game is known.

It is for clubs that write down nothing but the finishing places. It is sealed as the one link after
the header, and stored as the only body of its game: the byte `MARK`, the rank of each seat in one
byte, and, if recorded, the points of each seat in two. If it says who left or that time was up, the
stored form is longer:

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
"""The key of the outcome in a record."""
MARK: Final = 0xFF
"""The first byte of a stored outcome; no round of Bluff and no turn of Lügen-Kniffel begins with
it.
"""
LONG_MARK: Final = 0xFE
"""The first byte of a stored outcome that says who left, or that time was up; no round and no turn
begins with it.
"""
MARKS: Final = (bytes([MARK]), bytes([LONG_MARK]))
POINTS: Final = 2
"""Bytes for the points of a seat."""
HAS_POINTS: Final = 1
HAS_DICE: Final = 1 << 1
BY_CLOCK: Final = 1 << 2
LONG_PARTS: Final = [bytes([parts]) for parts in range(2 * BY_CLOCK)]
NO_OUTCOME: Final = "these bytes are no outcome"
GAP: Final = say("Only the end of the game is known: nobody can check how it came about.")


class KnownEnd(NamedTuple):
    """The end of a game, in seat order.

    `points` follow the ruleset's scoring; None if not recorded. `dice` are the dice that each seat
    of Bluff had left; None if not recorded. `forfeit` are the seats that left, in that order,
    rulings B17, K15. `ended` is set if the clock ended the game, rulings B20, K17.
    """

    rank: tuple[int, ...]
    points: tuple[int, ...] | None = None
    dice: tuple[int, ...] | None = None
    forfeit: tuple[int, ...] = ()
    ended: Ended | None = None

    @property
    def stayed(self) -> tuple[int, ...]:
        """Return the seats that didn't leave."""
        return tuple([seat for seat in range(len(self.rank)) if seat not in self.forfeit])


def read_outcome(value: Json, seats: int, path: str) -> KnownEnd:
    """Return an outcome, whether or not a game can end so. Raise `Refused`."""
    parts = members(value, path, ("rank",), ("points", "dice", "forfeit", "ended"))
    rank = wholes(parts["rank"], join(path, "rank"), seats)
    points = None
    if "points" in parts:
        points = wholes(parts["points"], join(path, "points"), seats)
    dice = None
    if "dice" in parts:
        dice = wholes(parts["dice"], join(path, "dice"), seats)
    forfeit: tuple[int, ...] = ()
    if "forfeit" in parts:
        forfeit = read_leavers(parts["forfeit"], range(seats), join(path, "forfeit"))
    ended = None
    if "ended" in parts:
        ended = read_ended(parts["ended"], join(path, "ended"))
    if dice is not None and ended is None:
        raise bad(join(path, "dice"), "can be given only together with {keys}", keys="ended")
    return KnownEnd(rank, points, dice, forfeit, ended)


def read_leavers(value: Json, seats: range, path: str) -> tuple[int, ...]:
    """Return the seats in a list, in order, each at most once. Raise `Refused`."""
    entries = items(value, path, range(1, len(seats) + 1))
    leavers = [whole(entry, f"{path}[{i}]", seats) for i, entry in enumerate(entries)]
    if len(set(leavers)) < len(leavers):
        raise bad(path, "names a seat twice")
    return tuple(leavers)


def read_ended(value: Json, path: str) -> Ended:
    """Return the way in which a game ended. Raise `Refused`."""
    return one_of(value, path, ENDED)


def outcome_json(end: KnownEnd) -> dict[str, Json]:
    """Return the outcome in the format of a record."""
    keys: dict[str, Json] = {"rank": list(end.rank)}
    if end.points is not None:
        keys["points"] = list(end.points)
    if end.dice is not None:
        keys["dice"] = list(end.dice)
    if end.forfeit:
        keys["forfeit"] = list(end.forfeit)
    if end.ended is not None:
        keys["ended"] = end.ended
    return keys


def mismatch(key: str, message: Message) -> Illegal:
    """Return the fault of one key of an outcome."""
    return Illegal("outcome_mismatch", message, path=f"{KEY}.{key}")


def wrong_rank(rank: Sequence[int]) -> Illegal | None:
    """Return the fault of ranks that aren't a finishing order with shared ranks, as 1, 2, 2, 4."""
    ranks_by_order = [1 + sum(rival < place for rival in rank) for place in rank]
    if list(rank) == ranks_by_order:
        return None
    return mismatch(
        "rank",
        say(
            "no game ends with the ranks {ranks}: after a shared rank the next is skipped, as "
            "in 1, 2, 2, 4",
            ranks=list(rank),
        ),
    )


def wrong_leavers(end: KnownEnd) -> Illegal | None:
    """Return the fault of seats that can't have left in the order of `forfeit`.

    One seat must stay. A seat that left later has a better rank, or the same if both left together
    (Rulings B17, K15).
    """
    if not end.stayed:
        return mismatch("forfeit", say("the last seat can't forfeit"))
    for before, after in pairwise(end.forfeit):
        if end.rank[after] > end.rank[before]:
            return mismatch(
                "forfeit",
                say(
                    "seat {after} left after seat {before}, so it can't be ranked behind it",
                    after=after,
                    before=before,
                ),
            )
    return None


def pack_outcome(end: KnownEnd) -> bytes:
    """Return the stored form of a valid outcome."""
    points = b"".join([number.to_bytes(POINTS, "big") for number in end.points or ()])
    if not end.forfeit and end.ended is None:
        return bytes([MARK, *end.rank]) + points

    parts = 0
    if end.points is not None:
        parts |= HAS_POINTS
    if end.dice is not None:
        parts |= HAS_DICE
    if end.ended is not None:
        parts |= BY_CLOCK
    return bytes([LONG_MARK, parts, *end.rank]) + points + bytes([*(end.dice or ()), *end.forfeit])


def is_outcome(bodies: Sequence[bytes]) -> bool:
    """Return True if the bodies of a stored game are an outcome, not rounds (turns)."""
    return len(bodies) == 1 and bodies[0][:1] in MARKS


def unpack_outcome(body: bytes, seats: int) -> KnownEnd:
    """Return the outcome stored by `pack_outcome`. Raise ValueError for other bytes."""
    if body[0] == LONG_MARK:
        return _unpack_long(body, seats)
    rank = body[1 : 1 + seats]
    points = body[1 + seats :]
    if len(rank) < seats or len(points) not in (0, POINTS * seats):
        raise ValueError(NO_OUTCOME)
    return KnownEnd(tuple(rank), points=_points(points) or None)


def _unpack_long(body: bytes, seats: int) -> KnownEnd:
    if body[1:2] not in LONG_PARTS:
        raise ValueError(NO_OUTCOME)
    parts = body[1]
    has_points = bool(parts & HAS_POINTS)
    has_dice = bool(parts & HAS_DICE)

    # The flags multiply as 0 and 1.
    start_of_points = 2 + seats
    start_of_dice = start_of_points + POINTS * seats * has_points
    start_of_forfeit = start_of_dice + seats * has_dice
    if len(body) < start_of_forfeit:
        raise ValueError(NO_OUTCOME)
    rank = body[2:start_of_points]
    points = body[start_of_points:start_of_dice]
    dice = body[start_of_dice:start_of_forfeit]
    forfeit = body[start_of_forfeit:]
    if any(seat >= seats for seat in forfeit) or len(set(forfeit)) < len(forfeit):
        raise ValueError(NO_OUTCOME)

    return KnownEnd(
        rank=tuple(rank),
        points=_points(points) if has_points else None,
        dice=tuple(dice) if has_dice else None,
        forfeit=tuple(forfeit),
        ended=CLOCK if parts & BY_CLOCK else None,
    )


def _points(data: bytes) -> tuple[int, ...]:
    starts = range(0, len(data), POINTS)
    return tuple([int.from_bytes(data[start : start + POINTS], "big") for start in starts])
