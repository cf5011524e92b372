"""The scoring and tie-breaks with which a stage begins, and all tie-breaks, by the names that
rankings show."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext

from engine.scoring.stage.registry import TIE_BREAKS
from engine.scoring.stage.rules import StageTieBreak
from league.stages.stage.format import FORMATS, FormatRules
from league.stages.stage.models import StageScoring
from league.standings.ranking.models import TieBreak
from league.standings.season.models import SCORINGS, Notes, Season

OF_SEASON: Final = {
    TieBreak.WINS.value: StageTieBreak.GAMES_WON.value,
    TieBreak.BEST_GAME.value: StageTieBreak.BEST_GAME.value,
}
"""The tie-breaks of seasons that stages have, too."""


def first_tie_breaks(season: Season, rules: FormatRules) -> tuple[str, ...]:
    """Return the tie-breaks with which a stage that is planned by hand begins: those of the season,
    so that both find the same winner; or those of the format, where points don't rank or the season
    has others."""
    first, *others = season.ranking.tie_breaks
    ranks_alike = first == TieBreak.POINTS and OF_SEASON.keys() >= set(others)
    if rules.by_place or rules.strikes or not ranks_alike:
        return rules.first_tie_breaks
    return tuple(OF_SEASON[name] for name in others)


def tie_break_choices() -> list[tuple[str, str]]:
    """All tie-breaks in the order in which they are offered, each with its label in the reader's
    language."""
    return [(str(name), rule.label.translated(gettext)) for name, rule in TIE_BREAKS.items()]


def is_tie_break(name: str) -> bool:
    """A stage can be ranked by a tie-break of this name."""
    return name in TIE_BREAKS


def first_scoring(season: Season, stage_format: str) -> StageScoring:
    """The scoring with which a new stage of a format begins: dice scores or totals where the season
    counts and notes them, and places would count otherwise."""
    rules = FORMATS.get(stage_format)
    first = rules.first_scoring if rules else StageScoring.PLACEMENT
    usual = SCORINGS[season.kind][0]
    counts_points = season.ranking.scoring == usual and season.notes != Notes.PLACES
    agreed = season.rules.get("scoring", usual) == usual
    if (
        rules is None
        or rules.by_place
        or first != StageScoring.PLACEMENT
        or not (counts_points and agreed)
    ):
        return StageScoring(first)
    return StageScoring(usual)
