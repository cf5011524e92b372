"""The sizes of groups, and the tables at which so many fit."""

from __future__ import annotations

from engine.illegal import Illegal
from engine.pairing.sizes import SIZES, SizeMix, size_mix
from league.stages.models import Stage

LEAST = 2
"""So many make a group."""
EVERY_NUMBER = (2, 3)
"""Sizes of tables that seat any number."""


def group_at(place: int, groups: int) -> int:
    """The number of the group of whom the seeding has at a place, from 0: back and forth, so that the groups are about
    as strong."""
    lap, step = divmod(place, groups)
    return 1 + (step if lap % 2 == 0 else groups - 1 - step)


def group_sizes(count: int, groups: int) -> list[int]:
    """Tell how many are in each group, when so many are spread over them."""
    return [count // groups + (number < count % groups) for number in range(groups)]


def tables_for(stage: Stage, count: int) -> list[SizeMix] | Illegal:
    """The tables of a round of a stage for so many players, a mix for each group. A fault: they can't be seated.

    A knock-out and a ladder seat whom they need, free tables who likes to sit there; a final seats everybody at one.
    """
    if stage.by_place or stage.format_rules.free:
        return []
    mixes = []
    for size in group_sizes(count, stage.groups):
        mix = tables_of_group(stage, size)
        if isinstance(mix, Illegal):
            return mix
        mixes.append(mix)
    return mixes


def tables_of_group(stage: Stage, count: int) -> SizeMix | Illegal:
    """The tables of a round of a group of so many players, in a stage that is neither a knock-out nor a ladder; free
    tables seat any number."""
    rules = stage.format_rules
    one_size = min(max(count, LEAST), SIZES[-1])
    sizes = (one_size,) if rules.one_table else EVERY_NUMBER if rules.free else tuple(stage.sizes)
    return size_mix(count, sizes, bye=sizes[0] == LEAST)
