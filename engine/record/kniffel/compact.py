"""The stored form of a turn of Lügen-Kniffel: two to eight flat bytes.

| bytes | what |
|---|---|
| 1 | combination's place on the sheet (bits 0–3), rolls (4–5), doubted (6), dice recorded (7) |
| 1 | points |
| 0–1 | seats that doubt, one bit each |
| 0–1 | the dice, if there are no rolls, by their place among all throws of five |
| 0–5 | rolls: for each but the first the dice kept, by their place in `KEEPS`; then the new dice |

An entry that isn't a whole turn is:

| bytes | what |
|---|---|
| 1 | `VOID`, `LEFT` or `BY_CLOCK` (bits 0–3); of a void turn rolls (4–5), left (6), announced (7) |
| 0–1 | seats that leave, one bit each |
| 0–2 | combination and points |
| 0–5 | rolls |
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations_with_replacement
from typing import Final

from engine.clock import CLOCK
from engine.illegal import Illegal
from engine.kniffel.combinations import COMBINATIONS, DICE, FACES, Announcement, Dice
from engine.kniffel.game import SEATS, Game
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
"""Values in place of the combination, for entries that aren't whole turns (Rulings K15, K17)."""
LEAVING: Final = 1 << 6
ANNOUNCED: Final = 1 << 7


NOT_A_TURN: Final = "these bytes are no turn of Lügen-Kniffel"


@lru_cache(maxsize=DICE + 1)
def throws(dice: int) -> tuple[Dice, ...]:
    """Return all throws of this number of dice, each ascending: 252 for five."""
    return tuple(combinations_with_replacement(FACES, dice))


KEEPS: Final = tuple(chain.from_iterable(map(throws, range(DICE))))
"""All sets of dice that can be kept, from none to four dice: 210 (Ruling K11)."""


def pack(table: Game, turns: Iterable[TurnRecord]) -> Iterator[bytes]:
    """Yield the stored form of each turn.

    `table` isn't used: this kind of game needs none, but Bluff does."""
    return map(pack_turn, turns)


def unpack(table: Game, bodies: Iterable[bytes]) -> Iterator[TurnRecord]:
    """Yield the turns stored by `pack`. Raise ValueError for other bytes.

    `table` isn't used: this kind of game needs none, but Bluff does."""
    return map(unpack_turn, bodies)


def pack_turn(turn: TurnRecord) -> bytes:
    """Return the stored form of a valid turn."""
    if turn.announcement is None or turn.void:
        return _pack_broken(turn)
    combination, points = turn.announcement
    shown = None if turn.rolls else turn.dice
    first = COMBINATIONS.index(combination) | len(turn.rolls) << ROLLS_SHIFT
    if turn.doubters:
        first |= DOUBTED
    if shown is not None:
        first |= SHOWN
    data = bytearray([first, points])
    if turn.doubters:
        data.append(_bits(turn.doubters))
    if shown is not None:
        data.append(throws(DICE).index(shown))
    return bytes(data) + _pack_rolls(turn.rolls)


def _pack_broken(turn: TurnRecord) -> bytes:
    """Pack an entry that isn't a whole turn: void, left by seats, or ended by the clock."""
    if not turn.void:
        return bytes([LEFT, _bits(turn.forfeit)] if turn.forfeit else [BY_CLOCK])
    first = VOID | len(turn.rolls) << ROLLS_SHIFT
    if turn.forfeit:
        first |= LEAVING
    if turn.announcement is not None:
        first |= ANNOUNCED
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
    """Return the turn stored by `pack_turn`. Raise ValueError for other bytes."""
    rest = iter(data)
    try:
        turn = _unpack(rest)
    except (IndexError, StopIteration):
        raise ValueError(NOT_A_TURN) from None
    if next(rest, None) is not None:
        raise ValueError("bytes are left after a turn of Lügen-Kniffel")
    return turn


def _unpack(data: Iterator[int]) -> TurnRecord:
    first = next(data)
    combination = first & COMBINATION
    if combination >= VOID:
        return _unpack_broken(first, data)
    announcement = Announcement(COMBINATIONS[combination], next(data))
    doubters: tuple[int, ...] = ()
    if first & DOUBTED:
        doubters = seats_of(next(data))
    shown: Dice | None = None
    if first & SHOWN:
        shown = throws(DICE)[next(data)]
    rolls, rolled = _unpack_rolls(data, first >> ROLLS_SHIFT & ROLLS_MASK)
    return TurnRecord(announcement, doubters, rolls, dice=rolled or shown)


def _unpack_broken(first: int, data: Iterator[int]) -> TurnRecord:
    if first == BY_CLOCK:
        return TurnRecord(None, ended=CLOCK)
    if first == LEFT:
        return TurnRecord(None, forfeit=seats_of(next(data)))
    if first & COMBINATION != VOID:
        raise ValueError(NOT_A_TURN)
    forfeit: tuple[int, ...] = ()
    if first & LEAVING:
        forfeit = seats_of(next(data))
    announcement = None
    if first & ANNOUNCED:
        combination = COMBINATIONS[next(data)]
        announcement = Announcement(combination, next(data))
    rolls, dice = _unpack_rolls(data, first >> ROLLS_SHIFT & ROLLS_MASK)
    return TurnRecord(announcement, doubters=(), rolls=rolls, dice=dice, forfeit=forfeit, void=True)


def seats_of(bits: int) -> tuple[int, ...]:
    """Return the seats of the bits that are set in a byte.

    Raise ValueError if there are none: no turn is stored with an empty set of seats."""
    if not bits:
        raise ValueError(NOT_A_TURN)
    return tuple([seat for seat in range(SEATS[-1]) if bits >> seat & 1])


def _unpack_rolls(data: Iterator[int], roll_count: int) -> tuple[tuple[Roll, ...], Dice | None]:
    """Return the rolls of a turn, and the five dice after the last one; None without rolls."""
    if not roll_count:
        return (), None
    rolls: list[Roll] = []
    dice = DICE
    for i in range(roll_count):
        kept: Dice = ()
        if i:
            kept = KEEPS[next(data)]
            dice = len(rolls[-1].new) - len(kept)
        rolls.append(Roll(kept, throws(dice)[next(data)]))
    shown = dice_shown(rolls)
    if isinstance(shown, Illegal):
        raise ValueError(shown.message)
    return tuple(rolls), shown
