"""One turn of Lügen-Kniffel as a record tells it: read from JSON and written in its canonical form.

Only what can be judged without knowing the game so far is judged here.
"""

from typing import NamedTuple

from engine.illegal import Illegal
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
from engine.record.shape import Fault, Json, bad, items, join, members, whole


class TurnRecord(NamedTuple):
    """What a record tells of one turn.

    `doubters` are ascending. `rolls` are empty where they aren't told. `dice`: the five under the cups after
    the rolls, or as shown, ascending; None where neither is told.
    """

    announcement: Announcement
    doubters: tuple[int, ...] = ()
    rolls: tuple[Roll, ...] = ()
    dice: Dice | None = None


def read_turn(value: Json, path: str) -> TurnRecord | Illegal:
    """The turn that `value` tells, its first fault in playing order if it has one.

    Refuses with `bad_record`, `unknown_key`, `bad_face`, `wrong_number_of_dice`, `bad_keep`, `must_roll_one`,
    and `no_such_announcement` for what isn't written as one.
    """
    try:
        return _read(members(value, path, ("say",), ("rolls", "dice", "doubts")), path)
    except Fault as fault:
        return fault.illegal


def _read(told: dict[str, Json], path: str) -> TurnRecord:
    rolls, dice = _rolls(told["rolls"], join(path, "rolls")) if "rolls" in told else ((), None)
    if "dice" in told:
        dice = _dice(told["dice"], dice, join(path, "dice"))
    announcement = _announcement(told["say"], join(path, "say"))
    doubters = _doubters(told["doubts"], join(path, "doubts")) if "doubts" in told else ()
    return TurnRecord(announcement, doubters, rolls, dice)


def _rolls(value: Json, path: str) -> tuple[tuple[Roll, ...], Dice]:
    """The rolls and the five dice under the cups after them. Ruling K11 (K)."""
    rolls: list[Roll] = []
    dice: Dice = ()
    for i, entry in enumerate(items(value, path, ROLLS)):
        place = f"{path}[{i}]"
        roll = parse_roll(_text(entry, place))
        if isinstance(roll, Illegal):
            raise _fault(roll, place, move=i)
        rolls.append(roll)
        shown = dice_shown(rolls)
        if isinstance(shown, Illegal):
            raise _fault(shown, place, move=i)
        dice = shown
    return tuple(rolls), dice


def _dice(value: Json, rolled: Dice | None, path: str) -> Dice:
    """The five dice shown; those that were rolled, if that is told too."""
    dice = parse_dice(_text(value, path))
    if isinstance(dice, Illegal):
        raise _fault(dice, path)
    wrong = wrong_dice(dice, DICE)
    if wrong is not None:
        raise _fault(Illegal(*wrong), path)
    if rolled is not None and dice != rolled:
        raise bad(path, f"must be the dice that the rolls leave: {dice_text(rolled)}")
    return dice


def _announcement(value: Json, path: str) -> Announcement:
    announcement = parse_announcement(_text(value, path))
    if isinstance(announcement, Illegal):
        raise _fault(announcement, path)
    return announcement


def _doubters(value: Json, path: str) -> tuple[int, ...]:
    return tuple(sorted(whole(entry, f"{path}[{i}]") for i, entry in enumerate(items(value, path))))


def _text(value: Json, path: str) -> str:
    if not isinstance(value, str):
        raise bad(path, "must be a text")
    return value


def _fault(illegal: Illegal, path: str, move: int | None = None) -> Fault:
    return Fault(Illegal(illegal.code, illegal.message, move=move, path=path))


def turn_json(told: TurnRecord) -> dict[str, Json]:
    """A turn that has no fault as the JSON object of the record format, in canonical form.

    Doubters and dice are ascending. `doubts` is left out where nobody doubts, `dice` where rolls tell them.
    """
    turn: dict[str, Json] = {}
    if told.rolls:
        turn["rolls"] = [roll_text(roll) for roll in told.rolls]
    elif told.dice is not None:
        turn["dice"] = dice_text(told.dice)
    turn["say"] = announcement_text(told.announcement)
    if told.doubters:
        turn["doubts"] = list(told.doubters)
    return turn
