"""Rounds that today's results would have drawn otherwise, after a correction: read, and kept as they were played."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.events.api.view import EventWriteView, actor
from league.frame.api.body import Serializer
from league.frame.api.document import change_documented, documented
from league.frame.api.parameters import Paged
from league.rulings.domain.round import drawn_otherwise
from league.rulings.services.stage import played_keep
from league.seasons.api.view import SeenListView
from league.seasons.api.writing import ReasonBody
from league.stages.queries.access import stage_of
from league.tables.api.view import StageView, stage_versions
from league.tables.queries.stage import stage_facts


class RoundOtherwiseSerializer(Serializer):
    """A round of a group with the tables that would be others now, and those in their place: ids of entries."""

    round = serializers.IntegerField(source="stage_round.number")
    drawn = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    now = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))


class RoundsKeptSerializer(Serializer):
    """The number of rounds that are kept by this."""

    kept = serializers.IntegerField()


class RoundsOtherwise(StageView, EventWriteView, SeenListView):
    """The rounds of a stage that would be drawn otherwise now."""

    limit = "export"

    @documented(
        "list_otherwise", "Rounds that would be drawn otherwise", RoundOtherwiseSerializer(many=True), problems=[404],
        parameters=[Paged],
    )  # fmt: skip
    def get(self, request: Request, club: str, event: str, stage: int) -> HttpResponseBase:
        """The rounds that corrected results would have drawn otherwise, and that nobody has kept; for organisers."""
        row = stage_of(self.run_event(club, event), stage)
        return self.unless_unchanged(
            stage_versions(row), lambda: self.paged(drawn_otherwise(stage_facts(row)), RoundOtherwiseSerializer)
        )

    @change_documented("keep_rounds", "Keep rounds as they were played", ReasonBody, RoundsKeptSerializer)
    def post(self, request: Request, club: str, event: str, stage: int) -> Response:
        """Keep the rounds as they were played, as an organiser; or take them back, the first of them with all later
        ones (`move_round`)."""
        row = self.stage(club, event, stage)
        account = self.organiser(row.event.club)
        request_body = self.sent()
        by = actor(account, ReasonBody.of(request_body.content).get("reason", ""))
        return self.done(request_body, lambda: {"kept": played_keep(stage=row, actor=by)})
