"""The roll for who opens a game: the highest sum opens, and those tied roll again."""

from collections.abc import Callable
from typing import NamedTuple

from engine.dice.roll import RollPlace


class OpeningRoll(NamedTuple):
    """A roll of one seat; those tied have a second one with `number` 1, and so on."""

    seat: int
    number: int
    faces: tuple[int, ...]


def opening_rolls(
    roll: Callable[[RollPlace, int], tuple[int, ...]], seats: int, dice: int
) -> list[OpeningRoll]:
    """Roll for the opener, until one seat alone has the highest sum.

    `roll` gives so many faces, a star counting six. Rulings B15 (R, S), K14 (K).
    """
    rolls: list[OpeningRoll] = []
    tied = list(range(seats))
    number = 0
    while True:
        again = [OpeningRoll(seat, number, roll(RollPlace(0, seat, number), dice)) for seat in tied]
        rolls += again
        tied = highest(again)
        if len(tied) == 1:
            return rolls
        number += 1


def highest(rolls: list[OpeningRoll]) -> list[int]:
    """Return the seats with the highest sum."""
    most = max(sum(each.faces) for each in rolls)
    return [each.seat for each in rolls if sum(each.faces) == most]


def opener_of(rolls: list[OpeningRoll]) -> int:
    """Return the seat that opens by rolls that `opening_rolls` gave."""
    last = [each for each in rolls if each.number == rolls[-1].number]
    return highest(last)[0]
