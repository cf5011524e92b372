"""Challenges: at a ladder nothing is drawn, people say who plays whom."""

from __future__ import annotations

from typing import Any

from league.draws.services.challenge import table_challenge
from league.events.api.view import EventWriteView
from league.frame.api.serializers import IdsField
from league.log.services import Actor
from league.seasons.api.writing import ReasonBody, changes
from league.stages.models import Stage
from league.tables.api.table import TableSerializer
from league.tables.api.view import StageView
from league.tables.queries.access import table_for
from league.tables.queries.table import TableOfStage, drawn_table


class ChallengeBody(ReasonBody):
    """A challenge: ids of entries in seat order, the challenger first."""

    players = IdsField(6, min_length=2)


class Challenges(StageView, EventWriteView):
    """The challenges of a ladder."""

    @changes("Set up a challenge", ChallengeBody, TableSerializer, created=True)
    def make_challenge(self, stage: Stage, body: dict[str, Any], actor: Actor) -> TableOfStage:
        """Set up a table of a ladder, as an organiser: a round of its own, whose result is entered as any other."""
        table = table_challenge(stage=stage, players=body["players"], actor=actor)
        return drawn_table(table_for(self.viewer(self.club.slug), table.public_id))
