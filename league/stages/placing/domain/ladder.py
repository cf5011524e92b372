"""A ladder: in which order its players stand, by the challenges that were played."""

from __future__ import annotations

from engine.scoring.ladder import Ladder, LadderGame, ladder
from league.stages.stage.domain.facts import StageFacts


def ladder_of(facts: StageFacts, group: int) -> Ladder:
    """The ladder of a group, from its seeding and the games of its tables; players are named by their entries' ids."""
    members = facts.group_members(group)
    games = [
        LadderGame(game.game, tuple(facts.members[entry].entry_id for entry in game.entries), game.ranks)
        for table in facts.group_tables(group)
        for game in table.games
        if game.ranks is not None
    ]
    return ladder(
        [member.entry_id for member in members], games, [member.entry_id for member in members if member.withdrawn]
    )
