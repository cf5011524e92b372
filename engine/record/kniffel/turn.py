"""One turn of Lügen-Kniffel in a record: read from JSON, and written in its canonical form.

Rules that depend on the game so far aren't checked here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from engine.clock import CLOCK, Ended
from engine.illegal import Illegal, Refused
from engine.kniffel.combinations import DICE, Announcement, Dice
from engine.kniffel.notation import (
    announcement_text,
    dice_text,
    parse_announcement,
    parse_dice,
    parse_roll,
    roll_text,
)
from engine.kniffel.rolls import ROLLS, Roll, dice_shown, wrong_dice
from engine.record.outcome import read_ended, read_leavers
from engine.record.shape import Json, bad, each, items, join, members, truth, whole

MARKS: Final = frozenset(["void", "forfeit", "ended"])
"""Keys of an entry that isn't a whole turn."""


class TurnRecord(NamedTuple):
    """One turn as recorded.

    `doubters` are ascending. `rolls` are empty if they aren't recorded. `dice` are the five under
    the cups after the rolls, or as shown, ascending; None if neither is recorded.

    An entry that isn't a whole turn may lack the announcement. `void`: the turn is void; `rolls`
    and announcement are those made until then. `forfeit`: seats that left, ascending, between two
    turns or, with `void`, in the middle of one. `ended`: time was up (Rulings K15, K17).
    """

    announcement: Announcement | None
    doubters: tuple[int, ...] = ()
    rolls: tuple[Roll, ...] = ()
    dice: Dice | None = None
    forfeit: tuple[int, ...] = ()
    void: bool = False
    ended: Ended | None = None


def read_turn(value: Json, seats: int, path: str) -> tuple[TurnRecord | None, Illegal | None]:
    """Return a turn, or its first fault in playing order.

    Codes: `bad_record`, `unknown_key`, `bad_face`, `wrong_number_of_dice`, `bad_keep`,
    `must_roll_one`, and `no_such_announcement` for a malformed announcement.
    """
    try:
        if isinstance(value, dict) and not MARKS.isdisjoint(value):
            return _read_incomplete(value, seats, path), None
        parts = members(value, path, ("say",), ("rolls", "dice", "doubts"))
        return _read_turn_object(parts, path), None
    except Refused as refused:
        return None, refused.illegal


def _read_incomplete(value: dict[str, Json], seats: int, path: str) -> TurnRecord:
    """Read an entry that isn't a whole turn: void, left by seats, or ended by the clock."""
    if "ended" in value:
        parts = members(value, path, ("ended",), ())
        return TurnRecord(None, ended=read_ended(parts["ended"], join(path, "ended")))

    parts = members(value, path, (), (*MARKS, "rolls", "say"))
    void = "void" in parts
    if void and not truth(parts["void"], join(path, "void")):
        raise bad(join(path, "void"), "must be true if it is given")
    if not void:
        for key in ("rolls", "say"):
            if key in parts:
                raise bad(join(path, key), "can't be combined with {keys}", keys="forfeit")
    rolls: tuple[Roll, ...] = ()
    dice = None
    if "rolls" in parts:
        rolls, dice = _rolls_and_dice(parts["rolls"], join(path, "rolls"))
    announcement = None
    if "say" in parts:
        announcement = _announcement(parts["say"], join(path, "say"))
    leavers: tuple[int, ...] = ()
    if "forfeit" in parts:
        leavers = read_leavers(parts["forfeit"], range(seats), join(path, "forfeit"))
    return TurnRecord(
        announcement,
        doubters=(),
        rolls=rolls,
        dice=dice,
        forfeit=tuple(sorted(leavers)),
        void=void,
    )


def _read_turn_object(value: dict[str, Json], path: str) -> TurnRecord:
    rolls: tuple[Roll, ...] = ()
    dice = None
    if "rolls" in value:
        rolls, dice = _rolls_and_dice(value["rolls"], join(path, "rolls"))
    if "dice" in value:
        dice = _dice(value["dice"], dice, join(path, "dice"))
    announcement = _announcement(value["say"], join(path, "say"))
    doubters: tuple[int, ...] = ()
    if "doubts" in value:
        doubters = each(value["doubts"], join(path, "doubts"), whole)
    return TurnRecord(announcement, tuple(sorted(doubters)), rolls, dice)


def _rolls_and_dice(value: Json, path: str) -> tuple[tuple[Roll, ...], Dice]:
    """Return the rolls of a turn, and the five dice after the last one (Ruling K11)."""
    rolls: list[Roll] = []
    dice: Dice = ()
    for i, entry in enumerate(items(value, path, ROLLS)):
        path_of_roll = f"{path}[{i}]"
        roll = parse_roll(_text(entry, path_of_roll))
        if isinstance(roll, Illegal):
            raise _refused(roll, path_of_roll, move=i)
        rolls.append(roll)
        dice_after = dice_shown(rolls)
        if isinstance(dice_after, Illegal):
            raise _refused(dice_after, path_of_roll, move=i)
        dice = dice_after
    return tuple(rolls), dice


def _dice(value: Json, rolled: Dice | None, path: str) -> Dice:
    dice = parse_dice(_text(value, path))
    if isinstance(dice, Illegal):
        raise _refused(dice, path)
    wrong = wrong_dice(dice, DICE)
    if wrong is not None:
        raise _refused(Illegal(*wrong), path)
    if rolled is not None and dice != rolled:
        raise bad(path, "must be the dice that the rolls leave: {dice}", dice=dice_text(rolled))
    return dice


def _announcement(value: Json, path: str) -> Announcement:
    announcement = parse_announcement(_text(value, path))
    if isinstance(announcement, Illegal):
        raise _refused(announcement, path)
    return announcement


def _text(value: Json, path: str) -> str:
    if not isinstance(value, str):
        raise bad(path, "must be a text")
    return value


def _refused(illegal: Illegal, path: str, move: int | None = None) -> Refused:
    return Refused(replace(illegal, move=move, path=path))


def moves(turn: TurnRecord) -> int:
    """Return the number of rolls and announcements in a turn."""
    is_announced = turn.announcement is not None
    return len(turn.rolls) + is_announced


def canonical(turns: Iterable[TurnRecord]) -> Iterator[TurnRecord]:
    """Return the turns themselves, which have no redundant facts."""
    return iter(turns)


def turn_json(turn: TurnRecord) -> dict[str, Json]:
    """Return a turn without a fault in the format of a record, in canonical form.

    Doubters and dice are ascending. `doubts` is left out if nobody doubts, `dice` if there are
    rolls.
    """
    keys: dict[str, Json] = {}
    if turn.rolls:
        keys["rolls"] = [roll_text(roll) for roll in turn.rolls]
    elif turn.dice is not None:
        keys["dice"] = dice_text(turn.dice)
    if turn.announcement is not None:
        keys["say"] = announcement_text(turn.announcement)
    if turn.doubters:
        keys["doubts"] = list(turn.doubters)
    if turn.forfeit:
        keys["forfeit"] = list(turn.forfeit)
    if turn.void:
        keys["void"] = True
    if turn.ended is not None:
        keys["ended"] = CLOCK
    return keys
