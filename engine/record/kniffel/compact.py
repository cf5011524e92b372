"""The stored form of a turn of Lügen-Kniffel: two to eight flat bytes.

| bytes | what | |---|---| | 1 | combination by its place on the sheet (bits 0–3), number of rolls
(4–5), doubted (6), dice recorded (7) | | 1 | points | | 0–1 | seats that doubt, one bit each | |
0–1 | the dice, where no rolls tell them, by their place among all throws of five | | 0–5 | rolls:
for each but the first the dice kept, by their place among all keeps; then the new dice |

An entry that is no whole turn is:

| bytes | what | |---|---| | 1 | `VOID`, `LEFT` or `BY_CLOCK` (bits 0–3); of a void turn the number
of rolls (4–5), left (6), announced (7) | | 0–1 | seats that leave, one bit each | | 0–2 |
combination and points | | 0–5 | rolls |"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final

from engine.clock import CLOCK
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
VOID: Final = len(COMBINATIONS)
LEFT: Final = VOID + 1
BY_CLOCK: Final = LEFT + 1
"""Entries that are no whole turn: what stands in place of the combination. Rulings K15, K17."""
LEAVING: Final = 1 << 6
ANNOUNCED: Final = 1 << 7


NO_TURN: Final = "these bytes are no turn of Lügen-Kniffel"


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
    if turn.announcement is None or turn.void:
        return _pack_broken(turn)
    combination, points = turn.announcement
    open_dice = None if turn.rolls else turn.dice
    first = COMBINATIONS.index(combination) | len(turn.rolls) << ROLLS_SHIFT
    first |= DOUBTED * bool(turn.doubters) | SHOWN * (open_dice is not None)
    data = bytearray([first, points])
    if turn.doubters:
        data.append(_bits(turn.doubters))
    if open_dice is not None:
        data.append(throws(DICE).index(open_dice))
    return bytes(data) + _pack_rolls(turn.rolls)


def _pack_broken(turn: TurnRecord) -> bytes:
    """The stored form of an entry that is no whole turn."""
    if not turn.void:
        return bytes([LEFT, _bits(turn.forfeit)] if turn.forfeit else [BY_CLOCK])
    first = VOID | len(turn.rolls) << ROLLS_SHIFT
    first |= LEAVING * bool(turn.forfeit) | ANNOUNCED * (turn.announcement is not None)
    data = bytearray([first])
    if turn.forfeit:
        data.append(_bits(turn.forfeit))
    if turn.announcement is not None:
        combination, points = turn.announcement
        data += bytes([COMBINATIONS.index(combination), points])
    return bytes(data) + _pack_rolls(turn.rolls)


def _bits(seats: Iterable[int]) -> int:
    return sum(1 << seat for seat in seats)


def _pack_rolls(rolls: Sequence[Roll]) -> bytes:
    data = bytearray()
    for i, roll in enumerate(rolls):
        if i:
            data.append(KEEPS.index(roll.kept))
        data.append(throws(len(roll.new)).index(roll.new))
    return bytes(data)


def unpack_turn(data: bytes) -> TurnRecord:
    """The turn that `pack_turn` stored; ValueError if it stored none such."""
    try:
        turn, end = _unpack(data)
    except IndexError:
        raise ValueError(NO_TURN) from None
    if end != len(data):
        raise ValueError("bytes are left after a turn of Lügen-Kniffel")
    return turn


def _unpack(data: bytes) -> tuple[TurnRecord, int]:
    """The turn and where it ends."""
    if data[0] & COMBINATION >= VOID:
        return _unpack_broken(data)
    first, announcement, at = data[0], Announcement(COMBINATIONS[data[0] & COMBINATION], data[1]), 2
    doubters: tuple[int, ...] = ()
    dice: Dice | None = None
    if first & DOUBTED:
        doubters, at = seats_of(data[at]), at + 1
    if first & SHOWN:
        dice, at = throws(DICE)[data[at]], at + 1
    rolls, open_dice, at = _unpack_rolls(data, at, first >> ROLLS_SHIFT & ROLLS_MASK)
    return TurnRecord(announcement, doubters, rolls, open_dice or dice), at


def _unpack_broken(data: bytes) -> tuple[TurnRecord, int]:
    """An entry that is no whole turn, and where it ends."""
    if data[0] == BY_CLOCK:
        return TurnRecord(None, ended=CLOCK), 1
    if data[0] == LEFT:
        return TurnRecord(None, forfeit=seats_of(data[1])), 2
    if data[0] & COMBINATION != VOID:
        raise ValueError(NO_TURN)
    forfeit: tuple[int, ...] = ()
    announcement, at = None, 1
    if data[0] & LEAVING:
        forfeit, at = seats_of(data[at]), at + 1
    if data[0] & ANNOUNCED:
        announcement, at = Announcement(COMBINATIONS[data[at]], data[at + 1]), at + 2
    rolls, dice, at = _unpack_rolls(data, at, data[0] >> ROLLS_SHIFT & ROLLS_MASK)
    return TurnRecord(announcement, (), rolls, dice, forfeit, void=True), at


def seats_of(bits: int) -> tuple[int, ...]:
    """The seats of a bit each, at least one; ValueError for none."""
    if not bits:
        raise ValueError(NO_TURN)
    return tuple([seat for seat in range(8) if bits >> seat & 1])


def _unpack_rolls(data: bytes, at: int, number: int) -> tuple[tuple[Roll, ...], Dice | None, int]:
    """So many rolls, the dice under the cups after them, and where they end; no dice without
    rolls."""
    rolls: list[Roll] = []
    for i in range(number):
        kept_dice: Dice = ()
        if i:
            kept_dice, at = KEEPS[data[at]], at + 1
        dice = len(rolls[-1].new) - len(kept_dice) if rolls else DICE
        rolls.append(Roll(kept_dice, throws(dice)[data[at]]))
        at += 1
    if not rolls:
        return (), None, at
    open_dice = dice_shown(rolls)
    if isinstance(open_dice, Illegal):
        raise ValueError(open_dice.message)
    return tuple(rolls), open_dice, at
