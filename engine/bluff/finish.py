"""The finishing order and the dice scores of a game, from its exits and the dice left at its
end."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.ranks import ranks


class Exit(NamedTuple):
    """Seats that went out together, by a challenge or a forfeit, and how many dice were out of the
    game after it."""

    seats: tuple[int, ...]
    dice_gone: int


def finishing_order(owned: Sequence[int], exits: Iterable[Exit]) -> tuple[int, ...]:
    """Return the rank of each seat: who goes out later is ahead (Ruling B12).

    If several seats are left because time was up, they are ranked by their dice (Ruling B20). Seats
    that went out together share a rank (1, 2, 2, 4). `owned`: dice at the end, by seat. `exits`: in
    playing order.
    """
    seats_out = [leaving.seats for leaving in exits]
    return tuple(ranks(owned, range(len(owned)), seats_out))


def cntdice(owned: Sequence[int], dice: int, exits: Iterable[Exit]) -> tuple[int, ...]:
    """Return the dice score of each seat: the dice that had left the game when it went out (Ruling
    B13).

    A seat that is left also scores its own dice, so the last one scores all dice of the game.
    `owned`: dice at the end, by seat; `dice`: how many each seat started with."""
    dice_gone = dice * len(owned) - sum(owned)
    score = [dice_gone + own for own in owned]
    for leaving in exits:
        for seat in leaving.seats:
            score[seat] = leaving.dice_gone
    return tuple(score)
