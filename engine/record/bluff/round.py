"""One round of Bluff as a record tells it: read from JSON and written in its canonical form.

Only what can be judged without knowing the game so far is judged here.
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
    """The keys of a round at one level of detail: known by `marks`, it needs `required` and may
    have `optional`."""

    level: Level
    marks: frozenset[str]
    required: tuple[str, ...]
    optional: tuple[str, ...]


def _keys(level: Level, marks: str, required: str, optional: str) -> LevelKeys:
    return LevelKeys(
        level, frozenset(marks.split()), tuple(required.split()), tuple(optional.split())
    )


LEVEL_KEYS: Final = (
    _keys("dealt", "dealt", "dealt moves", "opener losses"),
    _keys("dice", "revealed", "revealed moves", "opener losses"),
    _keys("challenge", "bidder challenger", "moves bidder challenger count", "opener losses"),
    _keys("bids", "moves count", "moves", "count opener losses"),
    _keys("result", "losses", "losses", "opener"),
)
"""The levels of detail, the most telling mark first. `count` is missing where a round has no
end."""
FORFEIT: Final = _keys("forfeit", "", "forfeit", "opener")
LEFT_DEALT: Final = _keys("dealt", "", "forfeit void dealt moves", "opener")
LEFT: Final = _keys("bids", "", "forfeit void moves", "opener")
VOID_DEALT: Final = _keys("dealt", "", "void dealt moves", "opener")
VOID: Final = _keys("bids", "", "void", "moves opener")
"""Rounds that are void, and somebody leaves between rounds. Rulings B17, B18."""
BY_CLOCK: Final = _keys("clock", "", "ended", "")
"""No round, but the mark that time was up. Ruling B20."""
NO_MOVES: Final = ("result", "forfeit", "clock")
"""Levels that tell no moves."""
SEATS: Final = ("opener", "bidder", "challenger")
"""Keys that name a seat."""
HANDS: Final[dict[Level, str]] = {"dealt": "dealt", "dice": "revealed"}
"""The key that holds the hands, by level."""


class RoundRecord(NamedTuple):
    """All that a record tells of one round; None or empty where its level doesn't tell.

    `hands`: dice of each seat in face order, from the roll (`dealt`) or when the cups went up
    (`dice`). `losses`: dice lost by each seat, −1 for one received. `forfeit`: seats that left,
    ascending; with `void` in the middle of the round, which may be void without them, too. At the
    level `clock` it is no round: time was up. `fault`: what is wrong with the move that should
    follow the last of `moves`."""

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
    """The round that `value` tells of a game with so many seats, and what is wrong with it.

    Refuses with `bad_record`, `unknown_key`, `bad_face` (in a hand), `wrong_number_of_dice` (more
    dice than any seat can have) or `too_many_moves`. For a fault in a move there is a round too: it
    waits in `fault`, as the moves before it may be at fault themselves."""
    try:
        record_round = _read(members(value, path, (), KEYS), range(seats), path)
    except Refused as refused:
        return None, refused.illegal
    return record_round, record_round.fault


def _read(value: dict[str, Json], seats: range, path: str) -> RoundRecord:
    level = _level_of(value, path).level
    seat = {key: whole(value[key], join(path, key), seats) for key in SEATS if key in value}
    forfeit = (
        read_leavers(value["forfeit"], seats, join(path, "forfeit")) if "forfeit" in value else ()
    )
    void = "void" in value and truth(value["void"], join(path, "void"))
    if "void" in value and not void:
        raise bad(join(path, "void"), "must be true where it is given")
    if level == CLOCK:
        read_ended(value["ended"], join(path, "ended"))
    hands = None
    if level in HANDS:
        size = range(len(seats), len(seats) + 1)
        hands = each(value[HANDS[level]], join(path, HANDS[level]), _hand, size)
    moves, fault = _moves(value["moves"], join(path, "moves")) if "moves" in value else ((), None)
    return RoundRecord(
        level=level,
        hands=hands,
        moves=moves,
        count=whole(value["count"], join(path, "count")) if "count" in value else None,
        losses=wholes(value["losses"], join(path, "losses"), len(seats))
        if "losses" in value
        else None,
        forfeit=tuple(sorted(forfeit)),
        void=void,
        fault=fault,
        **seat,
    )


def _level_of(value: dict[str, Json], path: str) -> LevelKeys:
    """The level of the round; it has the keys of exactly one."""
    if "ended" in value:
        level = BY_CLOCK
    elif "forfeit" in value:
        begun = LEFT_DEALT if "dealt" in value else LEFT
        level = begun if {"void", "moves", "dealt"} & value.keys() else FORFEIT
    elif "void" in value:
        level = VOID_DEALT if "dealt" in value else VOID
    else:
        level_key = next((level for level in LEVEL_KEYS if level.marks & value.keys()), None)
        if level_key is None:
            raise bad(path, "tells neither moves nor losses")
        level = level_key
    for key in level.required:
        if key not in value:
            raise bad(join(path, key), "is missing")
    for key in value:
        if key not in level.required and key not in level.optional:
            raise bad(
                join(path, key),
                "doesn't go together with {keys}",
                keys=" and ".join(level.required),
            )
    return level


def _hand(value: Json, path: str) -> str:
    if not isinstance(value, str):
        raise bad(path, "must be a text of faces")
    wrong = bad_face(value)
    if wrong is not None:
        raise Refused(
            Illegal(
                "bad_face",
                say("“{face}” is no face of a die: 1 2 3 4 5 *", face=quote(wrong)),
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
    """The moves up to the first that is none, and what is wrong with that one."""
    moves: list[Move] = []
    entries = items(value, path)
    endless = too_many_moves(len(entries), path)
    if endless is not None:
        raise Refused(endless)
    for i, entry in enumerate(entries):
        move = parse_move(entry if isinstance(entry, str) else "")
        if isinstance(move, Illegal):
            return tuple(moves), replace(move, move=i, path=f"{path}[{i}]")
        moves.append(move)
    return tuple(moves), None


def moves(record_round: RoundRecord) -> int:
    """Tell how many moves a round tells."""
    return len(record_round.moves)


def canonical(rounds: Iterable[RoundRecord]) -> Iterator[RoundRecord]:
    """The rounds of a good game with their facts alone.

    An opener goes that the rounds before tell, and so do losses that the bet tells.
    """
    opener_known = True
    for record_round in rounds:
        yield record_round._replace(
            opener=None if opener_known else record_round.opener,
            losses=record_round.losses if record_round.level == "result" else None,
        )
        opener_known = record_round.level != "result" and (
            opener_known or record_round.opener is not None
        )


def round_json(record_round: RoundRecord) -> dict[str, Json]:
    """A round that has no fault as the JSON object of the record format, dice in face order."""
    keys: dict[str, Json] = {
        "opener": record_round.opener,
        "forfeit": list(record_round.forfeit) or None,
        "void": record_round.void or None,
        "ended": CLOCK if record_round.level == CLOCK else None,
        "moves": None
        if record_round.level in NO_MOVES
        else [move_text(move) for move in record_round.moves],
        "bidder": record_round.bidder,
        "challenger": record_round.challenger,
        "count": record_round.count,
        "losses": None if record_round.losses is None else list(record_round.losses),
    }
    if record_round.hands is not None:
        keys[HANDS[record_round.level]] = list(record_round.hands)
    return {key: value for key, value in keys.items() if value is not None}
