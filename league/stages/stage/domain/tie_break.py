"""The default scoring and tie-breaks of a new stage, and the tie-breaks to choose from."""

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
"""The tie-breaks of seasons that stages have, too, with their names there."""


def first_tie_breaks(season: Season, rules: FormatRules) -> tuple[str, ...]:
    """Return the default tie-breaks of a new stage: those of the season, so that both find the same
    winner. If the format isn't ranked by points, or stages don't have those tie-breaks, return
    those of the format."""
    first, *others = season.ranking.tie_breaks
    ranks_alike = first == TieBreak.POINTS and OF_SEASON.keys() >= set(others)
    if rules.by_place or rules.strikes or not ranks_alike:
        return rules.first_tie_breaks
    return tuple(OF_SEASON[name] for name in others)


def tie_break_choices() -> list[tuple[str, str]]:
    """Return all tie-breaks in the order in which they are offered, each with its label."""
    return [(str(name), rule.label.translated(gettext)) for name, rule in TIE_BREAKS.items()]


def is_tie_break(name: str) -> bool:
    """Return True if stages can be ranked by a tie-break of this name."""
    return name in TIE_BREAKS


def first_scoring(season: Season, stage_format: str) -> StageScoring:
    """Return the default scoring of a new stage of a format.

    It is the format's own. A format that gives points for finishing places takes the game's own
    points instead, dice scores or totals, if the season's ranking counts them and its games state
    them; a format that needs places keeps its points for places."""
    rules = FORMATS.get(stage_format)
    if rules is None:
        return StageScoring.PLACEMENT
    of_format = StageScoring(rules.first_scoring)
    if rules.by_place or of_format != StageScoring.PLACEMENT:
        return of_format

    # The scoring of the season's game by its own points: dice scores or totals.
    by_points = SCORINGS[season.kind][0]
    counts_points = season.ranking.scoring == by_points and season.notes != Notes.PLACES
    rules_agree = season.rules.get("scoring", by_points) == by_points
    return StageScoring(by_points) if counts_points and rules_agree else StageScoring.PLACEMENT
