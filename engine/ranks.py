"""Ranks of seats at the end of a game."""

from collections.abc import Collection, Iterable, Sequence


def ranks(
    figures: Sequence[int], rivals: Collection[int], leavers: Iterable[Collection[int]]
) -> list[int]:
    """Return the ranks of seats in seat order from 1; equal figures share a rank, as 1, 1, 3.

    A seat ranks behind those of the `rivals` that have a higher figure. `leavers` are groups of
    seats that left together, in order; they rank behind all that stayed and all that left later.
    """
    rank = [1 + sum(figures[rival] > figure for rival in rivals) for figure in figures]
    ahead = len(rank)
    for seats in leavers:
        ahead -= len(seats)
        for seat in seats:
            rank[seat] = ahead + 1
    return rank
