"""The rolls of a turn: which dice are kept under the cups, and which are rolled again."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.illegal import Illegal
from engine.kniffel.combinations import DICE, FACES, Dice
from engine.messages import Message, say

ROLLS: Final = range(1, 4)
"""One to three rolls, for three cups nested in each other (Ruling K11)."""
FACE_SET: Final = frozenset(FACES)


class Roll(NamedTuple):
    """A roll: dice `kept` from the roll before it (none for the first), and dice rolled `new`."""

    kept: Dice
    new: Dice


def dice_shown(rolls: Sequence[Roll]) -> Dice | Illegal:
    """Return the five dice under the cups after one to three rolls, in ascending order, or an
    error.

    After the first roll, none to four dice are kept. After the second, only dice just rolled can be
    kept, as the dice under the first cup are locked ("Was liegt, das liegt!", Ruling K11).
    `Illegal.move` counts the rolls from 0.
    """
    if len(rolls) not in ROLLS:
        return Illegal(
            "bad_record", say("a turn has one to three rolls, not {number}", number=len(rolls))
        )
    locked: Dice = ()
    rolled: Dice = ()
    for number, roll in enumerate(rolls):
        wrong = _wrong_first(roll) if number == 0 else _wrong_keep(rolled, roll)
        if wrong is not None:
            code, message = wrong
            return Illegal(code, message, move=number)
        locked += roll.kept
        rolled = roll.new
    return tuple(sorted(locked + rolled))


def wrong_dice(dice: Dice, number: int) -> tuple[str, Message] | None:
    """Return code and message unless these are `number` dice with faces 1 to 6."""
    if not FACE_SET.issuperset(dice):
        return "bad_face", say("a die shows 1 2 3 4 5 6")
    if len(dice) != number:
        return "wrong_number_of_dice", say(
            "{number} dice are to be shown here, not {given}", number=number, given=len(dice)
        )
    return None


def _wrong_first(roll: Roll) -> tuple[str, Message] | None:
    if roll.kept:
        return "bad_keep", say("before the first roll there is nothing to keep")
    return wrong_dice(roll.new, DICE)


@lru_cache(maxsize=1 << 13)
def _wrong_keep(rolled_before: Dice, roll: Roll) -> tuple[str, Message] | None:
    if Counter(roll.kept) - Counter(rolled_before):
        return "bad_keep", say("only dice from the roll just before can stay")
    if len(roll.kept) == len(rolled_before):
        return "must_roll_one", say("at least one die must be rolled each time")
    return wrong_dice(roll.new, len(rolled_before) - len(roll.kept))


def highest_die(rolled: Sequence[int]) -> tuple[int, ...]:
    """Return the seats whose single die is highest: the first roller (Ruling K14), or several seats
    that roll again."""
    return tuple(seat for seat, die in enumerate(rolled) if die == max(rolled))
