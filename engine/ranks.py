"""Ranks of seats at the end of a game."""

from collections.abc import Collection, Iterable, Sequence


def ranks(
    figures: Sequence[int], rivals: Collection[int], leavers: Iterable[Collection[int]]
) -> list[int]:
    """The ranks of seats in seat order from 1: the higher its figure the better, and equal ones
    share one (1, 1, 3).

    `rivals`: the seats of which a seat is behind those with more. `leavers`: those that left
    together, in order; they are behind all who stayed, and behind who left later."""
    rank = [1 + sum(figures[rival] > figure for rival in rivals) for figure in figures]
    ahead = len(rank)
    for seats in leavers:
        ahead -= len(seats)
        for seat in seats:
            rank[seat] = ahead + 1
    return rank
