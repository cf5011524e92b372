"""How many latecomers each group takes in."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heapreplace

from engine.illegal import Illegal
from engine.record.kinds import SEATS
from league.stages.stage.domain.size import tables_of_group
from league.stages.stage.models import Stage


def late_places(stage: Stage, playing: Sequence[int], count: int) -> list[int]:
    """Return how many of `count` latecomers each group takes in; `playing` is the number of players
    in each. As many are taken in as the table sizes can seat, in groups as even as possible.

    `best` holds, for each number of latecomers taken in so far, the most even plan: the sum of the
    squared group sizes, and the latecomers of each group as negative numbers, so that on a tie
    `min` prefers more of them in the first groups.
    """
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for size, even_share in zip(playing, _even_shares(playing, count), strict=True):
        choices = _latecomer_counts_to_try(stage, size, even_share, count)
        best_with_group: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (uneven, negated) in best.items():
            for more in choices:
                if taken + more <= count:
                    plan = (uneven + (size + more) ** 2, (*negated, -more))
                    best_with_group[taken + more] = min(
                        best_with_group.get(taken + more, plan), plan
                    )
        best = best_with_group
    _, negated = best[max(best)]
    return [-more for more in negated]


def _latecomer_counts_to_try(
    stage: Stage, size: int, even_share: int, latecomers: int
) -> list[int]:
    """Return 0 and the numbers near `even_share` that a group of this size can take in."""
    numbers_near_share = range(
        max(0, even_share - SEATS[-1]), min(latecomers, even_share + SEATS[-1]) + 1
    )
    return [
        number
        for number in (0, *numbers_near_share)
        if number == 0 or not isinstance(tables_of_group(stage, size + number), Illegal)
    ]


def _even_shares(group_sizes: Sequence[int], count: int) -> list[int]:
    """Return how many of `count` latecomers each group gets if the smallest group always gets the
    next one."""
    sizes = [(size, number) for number, size in enumerate(group_sizes)]
    heapify(sizes)
    shares = [0] * len(group_sizes)
    for _ in range(count):
        size, number = sizes[0]
        heapreplace(sizes, (size + 1, number))
        shares[number] += 1
    return shares
