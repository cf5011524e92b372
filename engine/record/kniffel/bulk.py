"""Stored turns of Lügen-Kniffel told straight from their bytes, and settled as any others, for many games.

What the pieces of a turn stand for is made once, its text included; a game with a fault goes the longer way of
unpacking (`engine.record.kniffel.compact`).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from engine.clock import CLOCK
from engine.illegal import Illegal
from engine.kniffel.combinations import ANNOUNCEABLE, COMBINATIONS, DICE, Announcement, Dice
from engine.kniffel.game import Game
from engine.kniffel.notation import announcement_text, dice_text
from engine.record.kind import Bulk
from engine.record.kniffel.compact import (
    ANNOUNCED,
    BY_CLOCK,
    COMBINATION,
    DOUBTED,
    KEEPS,
    LEAVING,
    LEFT,
    ROLLS_MASK,
    ROLLS_SHIFT,
    SHOWN,
    VOID,
    seats_of,
    throws,
)
from engine.record.kniffel.settle import ending, settle, start
from engine.record.kniffel.turn import TurnRecord

THROWS: Final = tuple([tuple([(dice, dice_text(dice)) for dice in throws(number)]) for number in range(DICE + 1)])
"""By number of dice and place: the dice of a throw, and their text."""
SAYS: Final = tuple(
    [
        {
            points: (Announcement(name, points), f'"say":"{announcement_text(Announcement(name, points))}"')
            for points in {0, *ANNOUNCEABLE[name]}
        }
        for name in COMBINATIONS
    ]
)
"""By place on the sheet and points: what can be announced, and its canonical form. Ruling K2 (K)."""
SEATS: Final = tuple([(seats_of(bits), str(list(seats_of(bits))).replace(" ", "")) for bits in range(1, 256)])
"""By their bits, at least one: seats, and their canonical form."""


def bulk(table: Game, bodies: Sequence[bytes]) -> Bulk | None:
    """The canonical form of stored turns, and what the game has come to; None if one has a fault.

    `table` hasn't begun, and is left so.
    """
    assert table.roller is not None
    played = start(table.rules, len(table.sheets), table.roller)
    canonical: list[bytes] = []
    try:
        for body in bodies:
            turn, text = _whole(body) if body[0] & COMBINATION < VOID else _broken(body)
            if isinstance(settle(played, turn, ""), Illegal):
                return None
            canonical.append(text.encode())
    except (KeyError, IndexError, StopIteration, ValueError):
        return None
    return Bulk(canonical, ending(played))


def _whole(body: bytes) -> tuple[TurnRecord, str]:
    """A whole turn, without its single rolls, and its canonical form.

    KeyError, IndexError, StopIteration or ValueError for bytes that are none.
    """
    data = iter(body)
    first = next(data)
    announcement, say = SAYS[first & COMBINATION][next(data)]
    doubters: tuple[int, ...] = ()
    dice: Dice | None = None
    doubts = under_cups = ""
    if first & DOUBTED:
        doubters, seats = _seats(data)
        doubts = f'"doubts":{seats},'
    if first & SHOWN:
        dice, faces = THROWS[DICE][next(data)]
        under_cups = f'"dice":"{faces}",'
    rolled, rolls = _rolls(data, first)
    if rolled is not None and dice is not None:
        raise ValueError("the rolls tell the dice")
    _end(data)
    return TurnRecord(announcement, doubters, (), rolled or dice), f"{{{under_cups}{doubts}{rolls}{say}}}"


def _broken(body: bytes) -> tuple[TurnRecord, str]:
    """An entry that is no whole turn; else as `_whole`. Rulings K15, K17."""
    data = iter(body)
    first = next(data)
    forfeit: tuple[int, ...] = ()
    announcement, say, leavers = None, "", ""
    if first == BY_CLOCK:
        turn, text = TurnRecord(None, ended=CLOCK), f'{{"ended":"{CLOCK}"}}'
    elif first == LEFT:
        forfeit, seats = _seats(data)
        turn, text = TurnRecord(None, forfeit=forfeit), f'{{"forfeit":{seats}}}'
    elif first & COMBINATION == VOID:
        if first & LEAVING:
            forfeit, seats = _seats(data)
            leavers = f'"forfeit":{seats},'
        if first & ANNOUNCED:
            announcement, points = SAYS[next(data)][next(data)]
            say = f"{points},"
        _, rolls = _rolls(data, first)
        turn = TurnRecord(announcement, forfeit=forfeit, void=True)
        text = f'{{{leavers}{rolls}{say}"void":true}}'
    else:
        raise ValueError("no such entry")
    _end(data)
    return turn, text


def _seats(data: Iterator[int]) -> tuple[tuple[int, ...], str]:
    """The seats whose bits come next, at least one, and their canonical form."""
    bits = next(data)
    if not bits:
        raise ValueError("no seat")
    return SEATS[bits - 1]


def _end(data: Iterator[int]) -> None:
    """Raise ValueError if bytes are left."""
    if next(data, None) is not None:
        raise ValueError("bytes are left")


def _rolls(data: Iterator[int], first: int) -> tuple[Dice | None, str]:
    """The dice under the cups after the rolls of a turn, and their canonical form; None and no text without rolls.

    Ruling K11 (K).
    """
    number = first >> ROLLS_SHIFT & ROLLS_MASK
    if not number:
        return None, ""
    new, text = THROWS[DICE][next(data)]
    locked: Dice = ()
    for _ in range(1, number):
        staying, beginning, dice = _stay(new, next(data))
        new, faces = THROWS[dice][next(data)]
        locked += staying
        text += f"{beginning}{faces}"
    return tuple(sorted(locked + new)) if locked else new, f'"rolls":["{text}"],'


@lru_cache(maxsize=1 << 13)
def _stay(rolled: Dice, place: int) -> tuple[Dice, str, int]:
    """The dice that stay of those just rolled, by their place among all keeps; how the next roll's text goes on from
    the one before; and how many dice are rolled anew. ValueError if they can't stay. Ruling K11 (K)."""
    staying = KEEPS[place]
    if len(staying) == len(rolled) or Counter(staying) - Counter(rolled):
        raise ValueError("these dice can't stay")
    return staying, f'","{dice_text(staying)}>' if staying else '","', len(rolled) - len(staying)
