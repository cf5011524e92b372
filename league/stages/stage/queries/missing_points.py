"""Tables of stages whose games count no points, because only their places were entered."""

from __future__ import annotations

from collections.abc import Iterable

from engine.grouping import lists_by_key
from league.stages.result.domain.result import MissingPoints, counts_points
from league.stages.stage.domain.facts import NO_ROUND
from league.stages.stage.models import Stage
from league.stages.table.models import TableScore


def missing_points(stages: Iterable[Stage]) -> list[MissingPoints]:
    """Return the stages, in their order, with tables that lack points, each with the number of
    those tables and the first such game. At most one query is made, and none if no started stage
    counts points."""
    stages_by_points = [
        stage for stage in stages if stage.status != Stage.Status.PLANNED and counts_points(stage)
    ]
    if not stages_by_points:
        return []
    scores = TableScore.objects.filter(
        table__stage_round__stage__in=stages_by_points, ranks__isnull=False, points__isnull=True
    ).exclude(table__stage_round__status__in=NO_ROUND)
    rows = scores.order_by("table__stage_round__number", "table__number", "number").values_list(
        "table__stage_round__stage", "table", "game__public_id"
    )
    by_stage = lists_by_key((stage, (table, game)) for stage, table, game in rows)

    missing = []
    for stage in stages_by_points:
        if stage.pk in by_stage:
            games = by_stage[stage.pk]
            tables = {table for table, _ in games}
            _, first_game = games[0]
            missing.append(MissingPoints(stage, len(tables), first_game))
    return missing
