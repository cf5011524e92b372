"""The stored form of a turn of Lügen-Kniffel: two to eight flat bytes.

| bytes | what |
|---|---|
| 1 | combination by its place on the sheet (bits 0–3), number of rolls (4–5), doubted (6), dice recorded (7) |
| 1 | points |
| 0–1 | seats that doubt, one bit each |
| 0–1 | the dice, where no rolls tell them, by their place among all throws of five |
| 0–5 | rolls: for each but the first the dice kept, by their place among all keeps; then the new dice |
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final

from engine.illegal import Illegal
from engine.kniffel.combinations import COMBINATIONS, DICE, FACES, Announcement, Dice
from engine.kniffel.game import Game
from engine.kniffel.rolls import Roll, dice_shown
from engine.record.kniffel.turn import TurnRecord

COMBINATION: Final = 0b1111
ROLLS_SHIFT: Final = 4
ROLLS_MASK: Final = 0b11
DOUBTED: Final = 1 << 6
SHOWN: Final = 1 << 7


@lru_cache(maxsize=DICE + 1)
def throws(dice: int) -> tuple[Dice, ...]:
    """All throws of `dice` dice, each ascending: 252 for five."""
    return tuple(combinations_with_replacement(FACES, dice))


KEEPS: Final = tuple([kept for dice in range(DICE) for kept in throws(dice)])
"""All dice that can be kept, none to four: 210. Ruling K11 (K)."""


def pack(table: Game, turns: Iterable[TurnRecord]) -> Iterator[bytes]:
    """The stored form of each turn; `table` needn't be asked."""
    return map(pack_turn, turns)


def unpack(table: Game, bodies: Iterable[bytes]) -> Iterator[TurnRecord]:
    """The turns that `pack` stored; ValueError for other bytes. `table` needn't be asked."""
    return map(unpack_turn, bodies)


def pack_turn(turn: TurnRecord) -> bytes:
    """The stored form of a turn that is ok."""
    combination, points = turn.announcement
    open_dice = None if turn.rolls else turn.dice
    first = COMBINATIONS.index(combination) | len(turn.rolls) << ROLLS_SHIFT
    first |= DOUBTED * bool(turn.doubters) | SHOWN * (open_dice is not None)
    data = bytearray([first, points])
    if turn.doubters:
        data.append(sum(1 << seat for seat in turn.doubters))
    if open_dice is not None:
        data.append(throws(DICE).index(open_dice))
    for i, roll in enumerate(turn.rolls):
        if i:
            data.append(KEEPS.index(roll.kept))
        data.append(throws(len(roll.new)).index(roll.new))
    return bytes(data)


def unpack_turn(data: bytes) -> TurnRecord:
    """The turn that `pack_turn` stored; ValueError if it stored none such."""
    try:
        turn, end = _unpack(data)
    except IndexError:
        raise ValueError("these bytes are no turn of Lügen-Kniffel") from None
    if end != len(data):
        raise ValueError("bytes are left after a turn of Lügen-Kniffel")
    return turn


def _unpack(data: bytes) -> tuple[TurnRecord, int]:
    """The turn and where it ends."""
    first, announcement, at = data[0], Announcement(COMBINATIONS[data[0] & COMBINATION], data[1]), 2
    doubters: tuple[int, ...] = ()
    dice: Dice | None = None
    if first & DOUBTED:
        doubters, at = tuple([seat for seat in range(8) if data[at] >> seat & 1]), at + 1
    if first & SHOWN:
        dice, at = throws(DICE)[data[at]], at + 1
    rolls: list[Roll] = []
    for i in range(first >> ROLLS_SHIFT & ROLLS_MASK):
        kept_dice: Dice = ()
        if i:
            kept_dice, at = KEEPS[data[at]], at + 1
        number = len(rolls[-1].new) - len(kept_dice) if rolls else DICE
        rolls.append(Roll(kept_dice, throws(number)[data[at]]))
        at += 1
    if rolls:
        open_dice = dice_shown(rolls)
        if isinstance(open_dice, Illegal):
            raise ValueError(open_dice.message)
        dice = open_dice
    return TurnRecord(announcement, doubters, tuple(rolls), dice), at
