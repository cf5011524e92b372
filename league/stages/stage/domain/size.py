"""The table sizes for a group of a given number of players."""

from __future__ import annotations

from engine.illegal import Illegal
from engine.pairing.brackets.bracket import SIZES as BRACKET_SIZES
from engine.pairing.sizes import SizeMix, size_mix
from engine.record.kinds import KINDS
from league.stages.stage.format import FormatRules
from league.stages.stage.models import Stage
from league.standings.season.models import Season

LEAST = 2
"""The fewest players of a group."""
EVERY_NUMBER = (2, 3)
"""Table sizes that can seat any number of players."""


def table_sizes(season: Season, rules: FormatRules) -> range:
    """Return the sizes that tables of a format may have in a season: those of its game, or of a
    bracket."""
    if rules.knock_out:
        return BRACKET_SIZES
    return KINDS[season.kind].seats


def tables_of_group(stage: Stage, count: int) -> SizeMix | Illegal:
    """Return the table sizes of a round for a group of `count` players, in any format but a
    knock-out or a ladder."""
    rules = stage.format_rules
    sizes = EVERY_NUMBER if rules.free else tuple(stage.sizes)
    if rules.one_table:
        sizes = (min(max(count, LEAST), table_sizes(stage.event.season, rules)[-1]),)
    return size_mix(count, sizes, bye=sizes[0] == LEAST)
