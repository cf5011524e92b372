"""Rounds that would be drawn differently after a correction, for programs: read, and kept as they
were played."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import Serializer
from league.core.log.services import Actor
from league.disputes.otherwise.domain.round import DrawnOtherwise, drawn_otherwise
from league.disputes.otherwise.services import played_keep
from league.events.event.api import EventWriteView
from league.stages.stage.api.view import StageView
from league.stages.stage.models import Stage
from league.stages.stage.queries.facts import stage_facts
from league.standings.ranking.api.view import ReasonBody, changes


class RoundOtherwiseSerializer(Serializer):
    """A round of a group with the tables that wouldn't be drawn again and those that would
    replace them: ids of entries."""

    round_ = serializers.IntegerField(source="stage_round.number")
    drawn = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    now = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))


class RoundsKeptSerializer(Serializer):
    """The number of rounds that were kept."""

    kept = serializers.IntegerField()


class RoundsOtherwise(StageView, EventWriteView):
    """The rounds of a stage that would be drawn differently today."""

    @reads(
        "Rounds that would be drawn differently",
        RoundOtherwiseSerializer(many=True),
        for_organisers=True,
        limit="export",
    )
    def list_otherwise(self, stage: Stage) -> list[DrawnOtherwise]:
        """Return the rounds that corrected results would draw differently and that nobody has kept;
        for organisers."""
        return drawn_otherwise(stage_facts(stage))

    @changes("Keep rounds as they were played", ReasonBody, RoundsKeptSerializer)
    def keep_rounds(self, stage: Stage, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Keep the rounds as they were played, as an organiser. To take the first of them back with
        all later ones instead, use `move_round`."""
        return {"kept": played_keep(stage=stage, actor=actor)}
