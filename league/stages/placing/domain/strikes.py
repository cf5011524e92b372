"""Strikes: the last at a table gets one, and is out with the third."""

from __future__ import annotations

from typing import Final

from engine.messages import Message, say
from engine.scoring.stage.ranking import StageRow
from league.stages.result.domain.result import group_ranking
from league.stages.stage.domain.facts import StageFacts

MOST: Final = 3
"""The number of strikes with which a player is out."""


def strikes_of(row: StageRow) -> int:
    """Return the number of tables at which a player was last. The last at a table scores nothing
    there; a bye has no place."""
    return sum(score.place is not None and not score.score for score in row.record)


def struck_out(facts: StageFacts, group: int) -> set[str]:
    """Return the ids of the entries of a group that are out; empty in a stage without strikes."""
    if not facts.stage.format_rules.strikes:
        return set()
    return {
        row.participant.player_id for row in group_ranking(facts, group) if strikes_of(row) >= MOST
    }


def strike_words(row: StageRow) -> Message:
    """Return a sentence on a player's strikes."""
    name = row.participant.name
    strikes = strikes_of(row)
    if strikes >= MOST:
        return say("{name} is out with {strikes} strikes", name=name, strikes=strikes)
    return say("{name} has {strikes} of {most} strikes", name=name, strikes=strikes, most=MOST)
