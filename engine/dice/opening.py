"""The opening roll of a game: the highest sum opens, and tied seats roll again."""

from collections.abc import Callable
from typing import NamedTuple

from engine.dice.roll import RollPlace


class OpeningRoll(NamedTuple):
    """A roll of one seat; tied seats have a second one with `number` 1, and so on."""

    seat: int
    number: int
    faces: tuple[int, ...]


def opening_rolls(
    roll: Callable[[RollPlace, int], tuple[int, ...]], seats: int, dice: int
) -> list[OpeningRoll]:
    """Return the rolls for the opener: tied seats roll again until only one has the highest sum.

    `roll(place, dice)` returns the faces of a roll, a star as 6. Rulings B15, K14: the first
    opener.
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
    most = max(sum(opening.faces) for opening in rolls)
    return [opening.seat for opening in rolls if sum(opening.faces) == most]


def opener_of(rolls: list[OpeningRoll]) -> int:
    """Return the seat that opens after the rolls from `opening_rolls`."""
    last = [opening for opening in rolls if opening.number == rolls[-1].number]
    return highest(last)[0]
