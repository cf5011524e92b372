"""The number of latecomers that each group takes in."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heapreplace

from engine.illegal import Illegal
from engine.record.kinds import SEATS
from league.stages.stage.domain.size import tables_of_group
from league.stages.stage.models import Stage


def late_places(stage: Stage, playing: Sequence[int], count: int) -> list[int]:
    """Tell how many of so many who come late each group takes in, where so many play in each: as
    many as can be without leaving somebody for whom the table sizes have no table, in groups as
    even as can be."""
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for size, about in zip(playing, _evenly(playing, count), strict=True):
        near = range(max(0, about - SEATS[-1]), min(count, about + SEATS[-1]) + 1)
        choices = [
            more
            for more in (0, *near)
            if more == 0 or not isinstance(tables_of_group(stage, size + more), Illegal)
        ]
        grown: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (uneven, fewer) in best.items():
            for more in choices:
                if taken + more <= count:
                    plan = (uneven + (size + more) ** 2, (*fewer, -more))
                    grown[taken + more] = min(grown.get(taken + more, plan), plan)
        best = grown
    _, fewer = best[max(best)]
    return [-more for more in fewer]


def _evenly(playing: Sequence[int], count: int) -> list[int]:
    """Tell how many each group gets if everybody goes to the smallest one."""
    sizes = [(size, number) for number, size in enumerate(playing)]
    heapify(sizes)
    added = [0] * len(playing)
    for _ in range(count):
        size, number = sizes[0]
        heapreplace(sizes, (size + 1, number))
        added[number] += 1
    return added
