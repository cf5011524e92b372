"""The finishing order and the dice scores of a game, from its exits and the dice left at its
end."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.ranks import ranks


class Exit(NamedTuple):
    """Seats that went out together, by a challenge or a forfeit, and the dice out of the game
    after it."""

    seats: tuple[int, ...]
    gone: int


def finishing_order(owned: Sequence[int], exits: Iterable[Exit]) -> tuple[int, ...]:
    """Return the rank of each seat. Rulings B12, B20.

    The last seat left has rank 1, or, if time was up, the seat that owns most dice then; equal
    numbers share a rank. Seats that went out together share a rank (1, 2, 2, 4). `owned`: dice at
    the end, by seat. `exits`: in playing order.
    """
    leavers = [leaving.seats for leaving in exits]
    return tuple(ranks(owned, range(len(owned)), leavers))


def cntdice(owned: Sequence[int], dice: int, exits: Iterable[Exit]) -> tuple[int, ...]:
    """Return the dice that had left the game when each seat went out. Rulings B13 (B), B20.

    A seat that is left also scores its own dice, so the last one scores all dice of the game.
    `owned`: dice at the end, by seat; `dice`: how many each seat started with."""
    gone = dice * len(owned) - sum(owned)
    score = [gone + own for own in owned]
    for leaving in exits:
        for seat in leaving.seats:
            score[seat] = leaving.gone
    return tuple(score)
