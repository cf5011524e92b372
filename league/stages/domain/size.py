"""The tables at which a group of so many fits."""

from __future__ import annotations

from engine.illegal import Illegal
from engine.pairing.sizes import SIZES, SizeMix, size_mix
from league.stages.models import Stage

LEAST = 2
"""So many make a group."""
EVERY_NUMBER = (2, 3)
"""Sizes of tables that seat any number."""


def tables_of_group(stage: Stage, count: int) -> SizeMix | Illegal:
    """The tables of a round of a group of so many players, in a stage that is neither a knock-out nor a ladder; free
    tables seat any number."""
    rules = stage.format_rules
    one_size = min(max(count, LEAST), SIZES[-1])
    sizes = (one_size,) if rules.one_table else EVERY_NUMBER if rules.free else tuple(stage.sizes)
    return size_mix(count, sizes, bye=sizes[0] == LEAST)
