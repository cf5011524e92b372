"""Timetables with availability, proven to be the best: tables of four in groups that play round
after round.

CPU time of one timetable from its input to the assignment, by OR-Tools' CP-SAT with one worker; the
median and the worst of ten. In each one player in two has a slot at which they can't or would
rather not play, and each place is closed once."""

from __future__ import annotations

import gc
from itertools import product
from random import Random
from statistics import median
from time import process_time

from engine.pairing.timetables.timetable import Timetable, timetable
from engine.pairing.timetables.timetable_input import (
    Away,
    HallPlace,
    Slot,
    TimetableInput,
    UntimedTable,
)

TURNS = 10
SIZES = ((1, 5, 8), (3, 8, 10), (8, 16, 14))
"""Groups of sixteen in five rounds, twenty tables each; places; slots."""


def wanted(groups: int, places: int, slots: int, seed: int) -> TimetableInput:
    """Groups of sixteen in five rounds of four tables, and who can't when."""
    random = Random(seed)
    times = tuple(Slot(f"slot {number:02}") for number in range(slots))
    tables: list[UntimedTable] = []
    for group, round_number in product(range(groups), range(5)):
        players = random.sample([f"{group}.{number}" for number in range(16)], 16)
        for table in range(4):
            seated = tuple(players[4 * table : 4 * table + 4])
            tables.append(
                UntimedTable(
                    f"{group}.{round_number}.{table}", 4, seated, f"group {group}", round_number
                )
            )
    return TimetableInput(
        tuple(tables),
        tuple(
            HallPlace(f"place {number:02}", number, 4, (random.choice(times).id,))
            for number in range(places)
        ),
        times,
        tuple(
            Away(f"{group}.{number}", (random.choice(times).id,), must=random.random() < 0.4)
            for group, number in product(range(groups), range(0, 16, 2))
        ),
    )


def measure() -> None:
    """Print for each size the CPU time of a timetable, and how many of them were proven, or proven
    to be impossible."""
    print(f"\nTimetables with availability, proven  ({TURNS} inputs of each size)")
    for groups, places, slots in SIZES:
        seconds, best, impossible = [], 0, 0
        for seed in range(TURNS):
            gc.collect()
            start = process_time()
            found = timetable(wanted(groups, places, slots, seed))
            seconds.append(process_time() - start)
            best += isinstance(found, Timetable) and found.proven
            impossible += not isinstance(found, Timetable)
        size = f"{20 * groups} tables × {places} places × {slots} slots"
        figures = f"median {median(seconds):6.2f} CPU s, worst {max(seconds):6.2f}"
        print(
            f"  {size:<42} {figures}; {best} proven best, {impossible} impossible, with the reasons"
        )
