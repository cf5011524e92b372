"""A finished table as the hall's screen shows it: its players by place, and which of them go on."""

from __future__ import annotations

from typing import NamedTuple

from league.stages.bracket.domain.bracket import LAST_SIDES
from league.stages.stage.domain.facts import Member, StageFacts
from league.stages.table.domain.level import advancing_count, places_at
from league.stages.table.domain.table import SeatedTable


class FinishedPlayer(NamedTuple):
    """A player of a finished table. `goes_on`: the player goes on to another table of a
    knock-out."""

    place: int
    member: Member
    goes_on: bool


def finished_players(facts: StageFacts, seated: SeatedTable) -> list[FinishedPlayer]:
    """Return the players of a finished table by place; empty if it was given without play, or has
    no places."""
    table = seated.table
    if not table.finished or any(game.ranks is None for game in table.games):
        return []
    places = places_at(facts.stage, table.games)
    last_place_on = _last_advancing_place(facts, table.label)
    players = [
        FinishedPlayer(places[member.entry], member, places[member.entry] <= last_place_on)
        for member in seated.members
        if member.entry in places
    ]
    return sorted(players, key=lambda player: player.place)


def _last_advancing_place(facts: StageFacts, label: str) -> int:
    """Return the last place that leads to another table; 0 outside of a knock-out, and at its
    final."""
    if not facts.stage.knock_out or label in LAST_SIDES:
        return 0
    return advancing_count(facts.stage, label, len(facts.members))
