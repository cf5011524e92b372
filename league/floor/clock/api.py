"""The clock of a round."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.db import transaction
from rest_framework import serializers

from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import ModelSerializer, TimeField
from league.core.log.services import Actor
from league.events.event.api import EventWriteView
from league.floor.clock.domain import round_clock
from league.floor.clock.services import (
    round_clock_reset,
    round_clock_set,
    round_clock_start,
    round_clock_stop,
)
from league.stages.round.models import StageRound
from league.stages.stage.api.view import RoundView
from league.standings.ranking.api.view import changes

CLOCK: Final = {"minutes": 45, "clock": "running"}
SERVICES: Final = {
    "running": round_clock_start,
    "stopped": round_clock_stop,
    "full": round_clock_reset,
}
"""The service that brings a clock into each state."""


class ClockSerializer(ModelSerializer[StageRound]):
    """The clock of a round. While it's running, it has an end (`ends_at`), otherwise the seconds
    `left`. You can change the `minutes` even while it's running (null: it has no clock); `clock`
    is its new state: `running`, `stopped` where it is, or reset to its `full` time."""

    started_at = TimeField(
        source="clock_started_at",
        read_only=True,
        allow_null=True,
        help_text="When the clock was stopped, it ends later by as long as that.",
    )
    stopped_at = TimeField(source="clock_stopped_at", read_only=True, allow_null=True)
    ends_at = serializers.SerializerMethodField()
    left = serializers.SerializerMethodField()
    clock = serializers.ChoiceField(list(SERVICES), required=False, write_only=True)
    reason = serializers.CharField(
        required=False, allow_blank=True, max_length=500, write_only=True
    )

    class Meta:
        model = StageRound
        fields = ["minutes", "started_at", "stopped_at", "ends_at", "left", "clock", "reason"]
        help_texts = {"minutes": "How long the round lasts; null: it has no clock."}

    def get_ends_at(self, stage_round: StageRound) -> datetime | None:
        """Return the time at which the clock runs out, None while it stands."""
        clock = round_clock(stage_round)
        return clock.ends_at if clock else None

    def get_left(self, stage_round: StageRound) -> int | None:
        """Return the seconds that are left on a clock that stands, None while it runs: nothing of
        it changes by itself."""
        clock = round_clock(stage_round)
        return clock.left if clock and clock.ends_at is None else None


class ClockOfRound(RoundView, EventWriteView):
    """The clock of a round."""

    @reads("A round's clock", ClockSerializer)
    def get_round_clock(self, stage_round: StageRound) -> StageRound:
        """The time for a round, and when it ends."""
        return stage_round

    @changes("Set, start or stop a round's clock", ClockSerializer, ClockSerializer, example=CLOCK)
    @transaction.atomic
    def set_round_clock(
        self, stage_round: StageRound, body: dict[str, Any], actor: Actor
    ) -> StageRound:
        """Set how many minutes a round has, and start, stop or reset its clock, as an organiser."""
        if "minutes" in body:
            round_clock_set(stage_round=stage_round, minutes=body["minutes"], actor=actor)
        if "clock" in body:
            SERVICES[body["clock"]](stage_round=stage_round, actor=actor)
        return stage_round
