"""The podium of a ranking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

STEPS: Final = 3
MOST_ON_PODIUM: Final = 4
"""A cup without a game for third place has four."""


def podium_size(ranks: Sequence[int]) -> int:
    """Return how many of the first rows stand on the podium: ranks 1 to 3, at most four people.

    Rows with the same rank stand there together or not at all: ranks 1, 2, 3, 3 give four, and 1,
    2, 2, 2, 2 give one. If all rows share the first rank, the podium is empty. `ranks`: those
    of the first rows, the best first, with one row more than the podium can have if the ranking has
    so many rows."""
    all_share_rank = bool(ranks) and ranks[0] == ranks[-1]
    for size in range(min(MOST_ON_PODIUM, len(ranks)), 0, -1):
        last = ranks[size - 1]
        divides_no_tie = size == len(ranks) or ranks[size] > last
        if last <= STEPS and divides_no_tie and not all_share_rank:
            return size
    return 0
