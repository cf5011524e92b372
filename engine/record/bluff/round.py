"""One round of Bluff in a record: read from JSON, and written in its canonical form.

Rules that depend on the game so far aren't checked here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.bluff.hand import bad_face, sort_hand
from engine.bluff.move import Move, move_text, parse_move
from engine.bluff.ruleset import DICE
from engine.clock import CLOCK
from engine.illegal import Illegal, Refused, quote
from engine.messages import say
from engine.record.length import too_many_moves
from engine.record.outcome import read_ended, read_leavers
from engine.record.shape import Json, bad, each, items, join, members, truth, whole, wholes

Level: TypeAlias = Literal["result", "challenge", "bids", "dice", "dealt", "forfeit", "clock"]

KEYS: Final = (
    "opener",
    "forfeit",
    "void",
    "ended",
    "dealt",
    "revealed",
    "moves",
    "bidder",
    "challenger",
    "count",
    "losses",
)


class LevelKeys(NamedTuple):
    """The keys of a round at one level of detail, which is recognized by `marks`."""

    level: Level
    marks: frozenset[str]
    required: tuple[str, ...]
    optional: tuple[str, ...]


def _level_keys(level: Level, marks: str, required: str, optional: str) -> LevelKeys:
    return LevelKeys(
        level, frozenset(marks.split()), tuple(required.split()), tuple(optional.split())
    )


LEVEL_KEYS: Final = (
    _level_keys("dealt", "dealt", "dealt moves", "opener losses"),
    _level_keys("dice", "revealed", "revealed moves", "opener losses"),
    _level_keys("challenge", "bidder challenger", "moves bidder challenger count", "opener losses"),
    _level_keys("bids", "moves count", "moves", "count opener losses"),
    _level_keys("result", "losses", "losses", "opener"),
)
"""The levels of detail, the most distinctive mark first. `count` is missing if a round has no end.
"""
FORFEIT: Final = _level_keys("forfeit", "", "forfeit", "opener")
LEFT_DEALT: Final = _level_keys("dealt", "", "forfeit void dealt moves", "opener")
LEFT: Final = _level_keys("bids", "", "forfeit void moves", "opener")
VOID_DEALT: Final = _level_keys("dealt", "", "void dealt moves", "opener")
VOID: Final = _level_keys("bids", "", "void", "moves opener")
"""Void rounds, and seats that leave between rounds (Rulings B17, B18)."""
BY_CLOCK: Final = _level_keys("clock", "", "ended", "")
"""The mark that time was up, which isn't a round (Ruling B20)."""
NO_MOVES: Final = ("result", "forfeit", "clock")
"""Levels without moves."""
SEATS: Final = ("opener", "bidder", "challenger")
"""Keys that name a seat."""
HANDS: Final[dict[Level, str]] = {"dealt": "dealt", "dice": "revealed"}
"""The key of the hands, by level."""


class RoundRecord(NamedTuple):
    """One round as recorded; None or empty where its level leaves something out.

    `hands` are the dice of each seat in face order, from the roll (`dealt`) or when the cups went
    up (`dice`). `losses` are the dice lost by each seat, −1 for one received. `forfeit` are the
    seats that left, ascending; with `void` in the middle of the round. A round can also be void
    without them. At the level `clock` it isn't a round: time was up. `fault` is the fault of the
    move after the last of `moves`.
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


def read_round(value: Json, seats: int, path: str) -> tuple[RoundRecord | None, Illegal | None]:
    """Return a round and its fault.

    Codes: `bad_record`, `unknown_key`, `bad_face` (in a hand), `wrong_number_of_dice` (more dice
    than any seat can have) and `too_many_moves`. A fault in a move is kept in the round's
    `fault`, because the moves before it may be at fault themselves.
    """
    try:
        record_round = _read(members(value, path, (), KEYS), range(seats), path)
    except Refused as refused:
        return None, refused.illegal
    return record_round, record_round.fault


def _read(value: dict[str, Json], seats: range, path: str) -> RoundRecord:
    """Return a round, with the fault of a move in it; raise `Refused` for any other fault."""
    level = _level_of(value, path).level
    seat_of_key = {key: whole(value[key], join(path, key), seats) for key in SEATS if key in value}
    forfeit: tuple[int, ...] = ()
    if "forfeit" in value:
        forfeit = read_leavers(value["forfeit"], seats, join(path, "forfeit"))
    void = "void" in value
    if void and not truth(value["void"], join(path, "void")):
        raise bad(join(path, "void"), "must be true if it is given")
    if level == CLOCK:
        read_ended(value["ended"], join(path, "ended"))
    hands = None
    if level in HANDS:
        key = HANDS[level]
        hands = each(value[key], join(path, key), _hand, range(len(seats), len(seats) + 1))
    moves: tuple[Move, ...] = ()
    fault = None
    if "moves" in value:
        moves, fault = _moves(value["moves"], join(path, "moves"))
    count = None
    if "count" in value:
        count = whole(value["count"], join(path, "count"))
    losses = None
    if "losses" in value:
        losses = wholes(value["losses"], join(path, "losses"), len(seats))
    return RoundRecord(
        level=level,
        hands=hands,
        moves=moves,
        count=count,
        losses=losses,
        forfeit=tuple(sorted(forfeit)),
        void=void,
        fault=fault,
        **seat_of_key,
    )


def _level_of(value: dict[str, Json], path: str) -> LevelKeys:
    level = _marked_level(value, path)
    for key in level.required:
        if key not in value:
            raise bad(join(path, key), "is missing")
    for key in value:
        if key not in level.required and key not in level.optional:
            raise bad(
                join(path, key),
                "can't be combined with {keys}",
                keys=" and ".join(level.required),
            )
    return level


def _marked_level(value: dict[str, Json], path: str) -> LevelKeys:
    if "ended" in value:
        return BY_CLOCK
    if "forfeit" in value:
        if value.keys().isdisjoint(("void", "moves", "dealt")):
            return FORFEIT
        return LEFT_DEALT if "dealt" in value else LEFT
    if "void" in value:
        return VOID_DEALT if "dealt" in value else VOID
    for level in LEVEL_KEYS:
        if level.marks & value.keys():
            return level
    raise bad(path, "gives neither moves nor losses")


def _hand(value: Json, path: str) -> str:
    if not isinstance(value, str):
        raise bad(path, "must be a text of faces")
    wrong = bad_face(value)
    if wrong is not None:
        raise Refused(
            Illegal(
                "bad_face",
                say("“{face}” isn't a face of a die: 1 2 3 4 5 *", face=quote(wrong)),
                path=path,
            )
        )
    if len(value) >= DICE.stop:
        raise Refused(
            Illegal(
                "wrong_number_of_dice",
                say("no seat has {number} dice", number=len(value)),
                path=path,
            )
        )
    return sort_hand(value)


def _moves(value: Json, path: str) -> tuple[tuple[Move, ...], Illegal | None]:
    moves: list[Move] = []
    entries = items(value, path)
    too_many = too_many_moves(len(entries), path)
    if too_many is not None:
        raise Refused(too_many)
    for i, entry in enumerate(entries):
        move = parse_move(entry if isinstance(entry, str) else "")
        if isinstance(move, Illegal):
            return tuple(moves), replace(move, move=i, path=f"{path}[{i}]")
        moves.append(move)
    return tuple(moves), None


def moves(record_round: RoundRecord) -> int:
    """Return the number of moves of a round."""
    return len(record_round.moves)


def canonical(rounds: Iterable[RoundRecord]) -> Iterator[RoundRecord]:
    """Yield the rounds of a valid game without redundant facts.

    The opener is left out if it follows from the rounds before. The losses are left out unless they
    are all that the round records."""
    opener_follows = True
    for record_round in rounds:
        has_only_losses = record_round.level == "result"
        yield record_round._replace(
            opener=None if opener_follows else record_round.opener,
            losses=record_round.losses if has_only_losses else None,
        )
        # Losses alone don't tell who won the bet and so opens the next round.
        if has_only_losses:
            opener_follows = False
        elif record_round.opener is not None:
            opener_follows = True


def round_json(record_round: RoundRecord) -> dict[str, Json]:
    """Return a round without a fault in the format of a record, dice in face order."""
    keys: dict[str, Json] = {}
    if record_round.opener is not None:
        keys["opener"] = record_round.opener
    if record_round.forfeit:
        keys["forfeit"] = list(record_round.forfeit)
    if record_round.void:
        keys["void"] = True
    if record_round.level == CLOCK:
        keys["ended"] = CLOCK
    if record_round.level not in NO_MOVES:
        keys["moves"] = [move_text(move) for move in record_round.moves]
    if record_round.bidder is not None:
        keys["bidder"] = record_round.bidder
    if record_round.challenger is not None:
        keys["challenger"] = record_round.challenger
    if record_round.count is not None:
        keys["count"] = record_round.count
    if record_round.losses is not None:
        keys["losses"] = list(record_round.losses)
    if record_round.hands is not None:
        keys[HANDS[record_round.level]] = list(record_round.hands)
    return keys
