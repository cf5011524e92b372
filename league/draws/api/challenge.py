"""Challenges: at a ladder nothing is drawn, people say who plays whom."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.models.public_id import LENGTH
from league.draws.services.challenge import table_challenge
from league.events.api.view import EventWriteView, actor
from league.frame.api.body import Body
from league.frame.api.document import change_documented
from league.tables.api.table import TableSerializer, table_answer
from league.tables.api.view import StageView
from league.tables.queries.access import table_for


class ChallengeBody(Body):
    """A challenge: ids of entries in seat order, the challenger first."""

    players = serializers.ListField(child=serializers.CharField(max_length=LENGTH), min_length=2, max_length=6)
    reason = serializers.CharField(required=False, allow_blank=True, max_length=500)


class StageChallenges(StageView, EventWriteView):
    """The challenges of a ladder."""

    @change_documented("make_challenge", "Set up a challenge", ChallengeBody, TableSerializer, created=True)
    def post(self, request: Request, club: str, event: str, stage: int) -> Response:
        """Set up a table of a ladder, as an organiser: a round of its own, whose result is entered as any other."""
        row = self.stage(club, event, stage)
        account = self.organiser(row.event.club)
        request_body = self.sent()
        body = ChallengeBody.of(request_body.content)

        def challenge() -> dict[str, Any]:
            table = table_challenge(stage=row, players=body["players"], actor=actor(account, body.get("reason", "")))
            return table_answer(table_for(self.viewer(club), table.public_id))

        return self.done(request_body, challenge, status=201)
