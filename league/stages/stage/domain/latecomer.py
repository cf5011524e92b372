"""How many latecomers each group takes in."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heapreplace

from engine.illegal import Illegal
from engine.record.kinds import SEATS
from league.stages.stage.domain.size import tables_of_group
from league.stages.stage.models import Stage


def late_places(stage: Stage, playing: Sequence[int], count: int) -> list[int]:
    """Return how many of `count` latecomers each group takes in, when these numbers play in each:
    as many as the table sizes can seat, in groups as even as possible.

    `best` holds, for each number taken in so far, the most even plan: the sum of squared sizes, and
    the numbers by group, negative so that on a tie `min` prefers larger ones in early groups."""
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for size, about in zip(playing, _even_shares(playing, count), strict=True):
        choices = _numbers_to_try(stage, size, about, count)
        grown: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (uneven, negated) in best.items():
            for more in choices:
                if taken + more <= count:
                    plan = (uneven + (size + more) ** 2, (*negated, -more))
                    grown[taken + more] = min(grown.get(taken + more, plan), plan)
        best = grown
    _, negated = best[max(best)]
    return [-more for more in negated]


def _numbers_to_try(stage: Stage, size: int, about: int, count: int) -> list[int]:
    """Return the numbers near `about` that a group can take in, and 0."""
    near = range(max(0, about - SEATS[-1]), min(count, about + SEATS[-1]) + 1)
    return [
        more
        for more in (0, *near)
        if more == 0 or not isinstance(tables_of_group(stage, size + more), Illegal)
    ]


def _even_shares(playing: Sequence[int], count: int) -> list[int]:
    sizes = [(size, number) for number, size in enumerate(playing)]
    heapify(sizes)
    added = [0] * len(playing)
    for _ in range(count):
        size, number = sizes[0]
        heapreplace(sizes, (size + 1, number))
        added[number] += 1
    return added
