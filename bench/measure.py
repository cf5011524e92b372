"""Measuring: contestants take turns, so that a busy machine slows all of them alike; medians of CPU
time are compared.

CPU time leaves out the time in which other programs had the processor. Nobody's work waits for
anything."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import process_time


@dataclass(frozen=True)
class Contest:
    """What is measured: contestants by name, each a call that does `units` of work; the first is
    ours."""

    title: str
    unit: str
    units: int
    contestants: dict[str, Callable[[], object]]


def run(contest: Contest, turns: int = 7) -> None:
    """Let all contestants take turns and print the median of each, and ours as a multiple of the
    others."""
    seconds: dict[str, list[float]] = {name: [] for name in contest.contestants}
    for work in contest.contestants.values():
        work()  # warm
    for _ in range(turns):
        for name, work in contest.contestants.items():
            gc.collect()
            start = process_time()
            work()
            seconds[name].append(process_time() - start)
    ours, *others = contest.contestants
    own = median(seconds[ours])
    print(f"\n{contest.title}  ({contest.units:,} {contest.unit}, median of {turns} turns)")
    print(f"  {ours:<42} {contest.units / own:>12,.0f} {contest.unit}/CPU s")
    for name in others:
        other = median(seconds[name])
        print(
            f"  {name:<42} {contest.units / other:>12,.0f} {contest.unit}/CPU s   ours: "
            f"{other / own:.2f}×"
        )


def percentile(values: list[float], share: float) -> float:
    """The value below which this share of the values lies."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]
