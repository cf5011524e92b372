"""Ranks of seats at the end of a game."""

from collections.abc import Collection, Iterable, Sequence


def ranks(
    scores: Sequence[int], rivals: Collection[int], leavers: Iterable[Collection[int]]
) -> list[int]:
    """Return the ranks of seats in seat order from 1; equal scores share a rank, as 1, 1, 3.

    `scores`: by seat. A seat ranks behind those of the `rivals` that have a higher score.
    `leavers`: groups of seats that left together, in order; they rank behind all seats that stayed
    and all that left later.
    """
    rank = [1 + sum(scores[rival] > score for rival in rivals) for score in scores]
    seats_ahead = len(rank)
    for seats in leavers:
        seats_ahead -= len(seats)
        for seat in seats:
            rank[seat] = seats_ahead + 1
    return rank
