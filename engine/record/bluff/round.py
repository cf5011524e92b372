"""One round of Bluff as a record tells it: read from JSON and written in its canonical form.

Only what can be judged without knowing the game so far is judged here.
"""

from typing import Final, Literal, NamedTuple, TypeAlias

from engine.bluff.hand import bad_face, sort_hand
from engine.bluff.move import Move, move_text, parse_move
from engine.bluff.ruleset import DICE
from engine.illegal import Illegal, quote
from engine.record.shape import Fault, Json, bad, items, join, members, truth, whole, wholes

Level: TypeAlias = Literal["result", "challenge", "bids", "dice", "dealt", "forfeit"]

KEYS: Final = (
    "opener",
    "forfeit",
    "void",
    "dealt",
    "revealed",
    "moves",
    "bidder",
    "challenger",
    "count",
    "losses",
)


class Shape(NamedTuple):
    """The keys of a round at one level: known by `marks`, it needs `required` and may have `optional`."""

    level: Level
    marks: frozenset[str]
    required: tuple[str, ...]
    optional: tuple[str, ...]


def _shape(level: Level, marks: str, required: str, optional: str) -> Shape:
    return Shape(level, frozenset(marks.split()), tuple(required.split()), tuple(optional.split()))


SHAPES: Final = (
    _shape("dealt", "dealt", "dealt moves", "opener losses"),
    _shape("dice", "revealed", "revealed moves", "opener losses"),
    _shape("challenge", "bidder challenger", "moves bidder challenger count", "opener losses"),
    _shape("bids", "moves count", "moves", "count opener losses"),
    _shape("result", "losses", "losses", "opener"),
)
"""The levels of detail, the most telling mark first. `count` is missing where a round has no end."""
FORFEIT: Final = _shape("forfeit", "", "forfeit", "opener")
VOID_DEALT: Final = _shape("dealt", "", "forfeit void dealt moves", "opener")
VOID: Final = _shape("bids", "", "forfeit void moves", "opener")
"""Rounds in which somebody leaves. Ruling B17."""


class RoundRecord(NamedTuple):
    """What a record tells of one round; None or empty where its level doesn't tell.

    `hands`: dice of each seat in face order, from the roll (`dealt`) or when the cups went up (`dice`).
    `losses`: dice lost by each seat, −1 for one received. `forfeit`: seats that left, ascending; with `void`
    in the middle of the round. `fault`: what is wrong with the move that should follow the last of `moves`.
    """

    level: Level
    opener: int | None = None
    hands: tuple[str, ...] | None = None
    moves: tuple[Move, ...] = ()
    bidder: int | None = None
    challenger: int | None = None
    count: int | None = None  # type: ignore[assignment]  # hides tuple.count
    losses: tuple[int, ...] | None = None
    forfeit: tuple[int, ...] = ()
    void: bool = False
    fault: Illegal | None = None


def read_round(value: Json, seats: int, path: str) -> RoundRecord | Illegal:
    """The round that `value` tells of a game with so many seats.

    Refuses with `bad_record`, `unknown_key`, `bad_face` (in a hand) or `wrong_number_of_dice` (more dice than
    any seat can have). A fault in a move waits in `fault`, as the moves before it may be at fault themselves.
    """
    try:
        return _read(members(value, path, (), KEYS), range(seats), path)
    except Fault as fault:
        return fault.illegal


def _read(told: dict[str, Json], seats: range, path: str) -> RoundRecord:
    shape = _shape_of(told, path)
    seat = {key: whole(told[key], join(path, key), seats) for key in ("opener", "bidder", "challenger") if key in told}
    forfeit = _forfeit(told["forfeit"], seats, join(path, "forfeit")) if "forfeit" in told else ()
    void = "void" in told and truth(told["void"], join(path, "void"))
    if "void" in told and not void:
        raise bad(join(path, "void"), "must be true where it is given")
    hands = None
    if shape.level in ("dealt", "dice"):
        key = "dealt" if shape.level == "dealt" else "revealed"
        hands = _hands(told[key], seats, join(path, key))
    moves, fault = _moves(told["moves"], join(path, "moves")) if "moves" in told else ((), None)
    return RoundRecord(
        level=shape.level,
        hands=hands,
        moves=moves,
        count=whole(told["count"], join(path, "count")) if "count" in told else None,
        losses=wholes(told["losses"], join(path, "losses"), len(seats)) if "losses" in told else None,
        forfeit=forfeit,
        void=void,
        fault=fault,
        **seat,
    )


def _shape_of(told: dict[str, Json], path: str) -> Shape:
    """The shape whose keys the round has; exactly those of one level."""
    if "forfeit" in told or "void" in told:
        void = VOID_DEALT if "dealt" in told else VOID
        shape = void if {"void", "moves", "dealt"} & told.keys() else FORFEIT
    else:
        found = next((shape for shape in SHAPES if shape.marks & told.keys()), None)
        if found is None:
            raise bad(path, "tells neither moves nor losses")
        shape = found
    for key in shape.required:
        if key not in told:
            raise bad(join(path, key), "is missing")
    for key in told:
        if key not in shape.required and key not in shape.optional:
            raise bad(join(path, key), f"doesn't go together with {' and '.join(shape.required)}")
    return shape


def _forfeit(value: Json, seats: range, path: str) -> tuple[int, ...]:
    entries = items(value, path, range(1, len(seats) + 1))
    left = [whole(entry, f"{path}[{i}]", seats) for i, entry in enumerate(entries)]
    if len(set(left)) < len(left):
        raise bad(path, "names a seat twice")
    return tuple(sorted(left))


def _hands(value: Json, seats: range, path: str) -> tuple[str, ...]:
    entries = items(value, path, range(len(seats), len(seats) + 1))
    return tuple([_hand(entry, f"{path}[{i}]") for i, entry in enumerate(entries)])


def _hand(value: Json, path: str) -> str:
    if not isinstance(value, str):
        raise bad(path, "must be a text of faces")
    wrong = bad_face(value)
    if wrong is not None:
        raise Fault(Illegal("bad_face", f"“{quote(wrong)}” is no face of a die: 1 2 3 4 5 *", path=path))
    if len(value) >= DICE.stop:
        raise Fault(Illegal("wrong_number_of_dice", f"no seat has {len(value)} dice", path=path))
    return sort_hand(value)


def _moves(value: Json, path: str) -> tuple[tuple[Move, ...], Illegal | None]:
    """The moves up to the first that is none, and what is wrong with that one."""
    moves: list[Move] = []
    for i, entry in enumerate(items(value, path)):
        told = entry if isinstance(entry, str) else ""
        move = parse_move(told)
        if isinstance(move, Illegal):
            return tuple(moves), Illegal(move.code, move.message, move=i, path=f"{path}[{i}]")
        moves.append(move)
    return tuple(moves), None


def canonical(told: RoundRecord, *, opener_known: bool) -> RoundRecord:
    """The facts alone: without an opener that the rounds before tell, or losses that the dice tell."""
    return told._replace(
        opener=None if opener_known else told.opener,
        losses=told.losses if told.level == "result" else None,
    )


def round_json(told: RoundRecord) -> dict[str, Json]:
    """A round that has no fault as the JSON object of the record format, dice in face order."""
    keys: dict[str, Json] = {
        "opener": told.opener,
        "forfeit": list(told.forfeit) or None,
        "void": told.void or None,
        "moves": None if told.level in ("forfeit", "result") else [move_text(move) for move in told.moves],
        "bidder": told.bidder,
        "challenger": told.challenger,
        "count": told.count,
        "losses": None if told.losses is None else list(told.losses),
    }
    if told.hands is not None:
        keys["dealt" if told.level == "dealt" else "revealed"] = list(told.hands)
    return {key: value for key, value in keys.items() if value is not None}
