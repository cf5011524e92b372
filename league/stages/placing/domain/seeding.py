"""Who comes into a stage from the one before, and in which order."""

from __future__ import annotations

from collections.abc import Collection

from engine.scoring.stage.ranking import StageRow
from league.stages.placing.domain.place import stage_places
from league.stages.result.domain.result import group_ranking
from league.stages.stage.domain.facts import StageFacts
from league.stages.stage.models import Stage


def withdrawn_from(facts: StageFacts) -> frozenset[int]:
    """The entries of a stage that don't come any more."""
    return frozenset(member.entry for member in facts.members.values() if member.withdrawn)


def entrants_from(
    stage: Stage, before: StageFacts, withdrawn: Collection[int]
) -> list[tuple[int, int]]:
    """Tell who comes into a stage from the one before, as entries without those who are
    `withdrawn`, with the points that they bring: the best of each group, all firsts, then all
    seconds, …; or of its bracket or ladder."""
    if before.stage.by_place:
        best = [placed.entry for placed in stage_places(before) if placed.entry not in withdrawn]
        return [(entry, 0) for entry in best[: stage.takes]]
    ids = {member.entry_id: member.entry for member in before.members.values()}
    rows: list[tuple[int, int, StageRow]] = []
    for group in before.groups:
        group_rows = [
            row
            for row in group_ranking(before, group.pk)
            if ids[row.participant.player_id] not in withdrawn
        ]
        rows += [(place, group.number, row) for place, row in enumerate(group_rows[: stage.takes])]
    ordered = sorted(rows, key=lambda row: row[:2])
    return [
        (ids[row.participant.player_id], row.score if stage.carry else 0) for _, _, row in ordered
    ]
