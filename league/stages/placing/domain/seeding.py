"""The players who come into a stage from the one before, and their order."""

from __future__ import annotations

from collections.abc import Collection

from league.stages.placing.domain.place import stage_places
from league.stages.result.domain.result import group_ranking
from league.stages.stage.domain.facts import StageFacts
from league.stages.stage.models import Stage


def withdrawn_from(facts: StageFacts) -> frozenset[int]:
    """Return the entries that have withdrawn from a stage."""
    return frozenset(member.entry for member in facts.members.values() if member.withdrawn)


def entrants_from(
    stage: Stage, before: StageFacts, withdrawn: Collection[int]
) -> list[tuple[int, int]]:
    """Return the entries (row ids) that a stage takes from the one before, best first, each with
    the points that it carries over. `withdrawn` entries are left out.

    Winners of groups come first, then the seconds, and so on. From a bracket or a ladder the best
    come in the order of their places, without points.
    """
    if before.stage.by_place:
        best = [placed.entry for placed in stage_places(before) if placed.entry not in withdrawn]
        return [(entry, 0) for entry in best[: stage.takes]]

    # Rankings name players by the public ids of their entries.
    row_ids = {member.entry_id: member.entry for member in before.members.values()}
    ranked: list[tuple[int, int, int, int]] = []
    for group in before.groups:
        present = []
        for row in group_ranking(before, group.pk):
            entry = row_ids[row.participant.player_id]
            if entry not in withdrawn:
                present.append((entry, row.score if stage.carry else 0))
        for place, (entry, points) in enumerate(present[: stage.takes]):
            ranked.append((place, group.number, entry, points))
    ranked.sort(key=lambda row: row[:2])
    return [(entry, points) for _, _, entry, points in ranked]
