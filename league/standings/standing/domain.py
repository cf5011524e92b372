"""Who stands on a podium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

STEPS: Final = 3
MOST_ON_PODIUM: Final = 4
"""A cup without a game for the third place has four."""


def podium_size(ranks: Sequence[int]) -> int:
    """Count the first rows that stand on the podium: the ranks 1 to 3, four people at most.

    Equal people stand together or not at all, so 1, 2, 3, 3 is four and 1, 2, 2, 2, 2 is one. Where
    everybody shares the first rank, nobody stands there. `ranks`: best first, and one more than can
    stand if there is one."""
    for size in range(min(MOST_ON_PODIUM, len(ranks)), 0, -1):
        last = ranks[size - 1]
        if last <= STEPS and (size == len(ranks) or ranks[size] > last) and ranks[0] != ranks[-1]:
            return size
    return 0
