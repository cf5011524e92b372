"""The tables at which a group of so many fits."""

from __future__ import annotations

from engine.illegal import Illegal
from engine.pairing.brackets.bracket import SIZES as BRACKET_SIZES
from engine.pairing.sizes import SizeMix, size_mix
from engine.record.kinds import KINDS
from league.stages.stage.format import FormatRules
from league.stages.stage.models import Stage
from league.standings.season.models import Season

LEAST = 2
"""So many make a group."""
EVERY_NUMBER = (2, 3)
"""Sizes of tables that seat any number."""


def table_sizes(season: Season, rules: FormatRules) -> range:
    """The sizes that tables of a format may have in a season: as many as its game seats, or as a
    bracket has."""
    return BRACKET_SIZES if rules.knock_out else KINDS[season.kind].seats


def tables_of_group(stage: Stage, count: int) -> SizeMix | Illegal:
    """The tables of a round of a group of so many players, in a stage that is neither a knock-out
    nor a ladder; free tables seat any number."""
    rules = stage.format_rules
    sizes = EVERY_NUMBER if rules.free else tuple(stage.sizes)
    if rules.one_table:
        sizes = (min(max(count, LEAST), table_sizes(stage.event.season, rules)[-1]),)
    return size_mix(count, sizes, bye=sizes[0] == LEAST)
