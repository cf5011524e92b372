"""The podium of a ranking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

STEPS: Final = 3
MOST_ON_PODIUM: Final = 4
"""A cup without a game for third place has four."""


def podium_size(ranks: Sequence[int]) -> int:
    """Return how many of the first rows stand on the podium: ranks 1 to 3, at most four people.

    Equal rows stand there together or not at all: 1, 2, 3, 3 gives four and 1, 2, 2, 2, 2 gives
    one. If all rows share the first rank, nobody does. `ranks`: best first, with one more than can
    stand there if there is one."""
    for size in range(min(MOST_ON_PODIUM, len(ranks)), 0, -1):
        last = ranks[size - 1]
        if last <= STEPS and (size == len(ranks) or ranks[size] > last) and ranks[0] != ranks[-1]:
            return size
    return 0
