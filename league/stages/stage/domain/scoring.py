"""The scoring with which a stage begins."""

from __future__ import annotations

from league.stages.stage.format import FORMATS
from league.stages.stage.models import StageScoring
from league.standings.season.models import SCORINGS, Notes, Season


def first_scoring(season: Season, stage_format: str) -> StageScoring:
    """The scoring with which a new stage of a format begins: dice scores or totals where the season counts and notes
    them, and places would count otherwise."""
    rules = FORMATS.get(stage_format)
    first = rules.first_scoring if rules else StageScoring.PLACEMENT
    usual = SCORINGS[season.kind][0]
    counts_points = season.ranking.scoring == usual and season.notes != Notes.PLACES
    agreed = season.rules.get("scoring", usual) == usual
    if rules is None or rules.by_place or first != StageScoring.PLACEMENT or not (counts_points and agreed):
        return StageScoring(first)
    return StageScoring(usual)
