"""Who finished where, and for how many dice: pure functions over the exits of a game and the dice
left at its end."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.ranks import ranks


class Exit(NamedTuple):
    """Seats that went out together, by a challenge or a forfeit, and the dice out of the game after
    it."""

    seats: tuple[int, ...]
    gone: int


def finishing_order(owned: Sequence[int], exits: Iterable[Exit]) -> tuple[int, ...]:
    """The rank of each seat: 1 for the last one left, or, when time was up, for who owns most dice
    then; who owns as many shares it. Seats out together share a rank (1, 2, 2, 4).

    `owned`: dice at the end, by seat. `exits` in playing order. Rulings B12, B20.
    """
    return tuple(ranks(owned, range(len(owned)), (out.seats for out in exits)))


def cntdice(owned: Sequence[int], dice: int, exits: Iterable[Exit]) -> tuple[int, ...]:
    """The dice that had left the game when each seat went out; who was left scores those and its
    own, which is all dice of the game if it is the last one.

    `owned`: dice at the end, by seat; `dice`: those that each started with. Rulings B13 (B), B20.
    """
    gone = dice * len(owned) - sum(owned)
    score = [gone + own for own in owned]
    for out in exits:
        for seat in out.seats:
            score[seat] = out.gone
    return tuple(score)
