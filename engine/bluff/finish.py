"""Who finished where, and for how many dice: pure functions over the exits of a game."""

from collections.abc import Iterable
from typing import NamedTuple


class Exit(NamedTuple):
    """Seats that went out together, by a challenge or a forfeit, and the dice out of the game after it."""

    seats: tuple[int, ...]
    gone: int


def finishing_order(seats: int, exits: Iterable[Exit]) -> tuple[int, ...]:
    """The rank of each seat, 1 for the last one left; seats out together share a rank (1, 2, 2, 4).

    `exits` in playing order. Ruling B12.
    """
    rank = [1] * seats
    seats_in_play = seats
    for out in exits:
        seats_in_play -= len(out.seats)
        for seat in out.seats:
            rank[seat] = seats_in_play + 1
    return tuple(rank)


def cntdice(seats: int, dice: int, exits: Iterable[Exit]) -> tuple[int, ...]:
    """The dice that had left the game when each seat went out; the last seat scores all, `dice` × `seats`.

    Ruling B13 (B).
    """
    score = [dice * seats] * seats
    for out in exits:
        for seat in out.seats:
            score[seat] = out.gone
    return tuple(score)
