"""The clock of a round: read, set, started, stopped."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.draws.api.round import RoundView
from league.events.api.view import EventWriteView, actor
from league.frame.api.body import ModelSerializer
from league.frame.api.document import change_documented, documented
from league.frame.api.parameters import SeenBy
from league.hall.domain.clock import round_clock
from league.hall.services.clock import round_clock_reset, round_clock_set, round_clock_start, round_clock_stop
from league.tables.api.view import stage_versions
from league.tables.models import StageRound

SERVICES: Final = {"running": round_clock_start, "stopped": round_clock_stop, "full": round_clock_reset}
"""The service that brings a clock into each state."""


class ClockSerializer(ModelSerializer[StageRound]):
    """The clock of a round. While it runs it has an end (`ends_at`), else seconds that are `left`. The `minutes` can be
    changed also while it runs (null: it has no clock); `clock` is how it shall be: `running`, `stopped` where it is, or
    standing at its `full` time."""

    started_at = serializers.DateTimeField(
        source="clock_started_at", read_only=True, allow_null=True,
        help_text="Later than it was, by as long as the clock stood still.",
    )  # fmt: skip
    stopped_at = serializers.DateTimeField(source="clock_stopped_at", read_only=True, allow_null=True)
    ends_at = serializers.SerializerMethodField()
    left = serializers.SerializerMethodField()
    clock = serializers.ChoiceField(list(SERVICES), required=False, write_only=True)
    reason = serializers.CharField(required=False, allow_blank=True, max_length=500, write_only=True)

    class Meta:
        model = StageRound
        fields = ["minutes", "started_at", "stopped_at", "ends_at", "left", "clock", "reason"]
        extra_kwargs = {"minutes": {"help_text": "How long the round lasts; null: it has no clock."}}

    def get_ends_at(self, stage_round: StageRound) -> datetime | None:
        """The time at which the clock runs out, None while it stands."""
        clock = round_clock(stage_round)
        return clock.ends_at if clock else None

    def get_left(self, stage_round: StageRound) -> int | None:
        """The seconds that are left on a clock that stands, None while it runs: nothing of it changes by itself."""
        clock = round_clock(stage_round)
        return clock.left if clock and clock.ends_at is None else None


class ClockOfRound(RoundView, EventWriteView):
    """The clock of a round."""

    @documented("get_round_clock", "A round's clock", ClockSerializer, problems=[404], parameters=[SeenBy])
    def get(self, request: Request, club: str, event: str, stage: int, number: int) -> HttpResponseBase:
        """The time that a round has, and when it ends."""
        row = self.stage(club, event, stage)
        stage_round = self.stage_round(row, number)
        return self.unless_unchanged(stage_versions(row), lambda: Response(ClockSerializer(stage_round).data))

    @change_documented(
        "set_round_clock", "Set, start or stop a round's clock", ClockSerializer, ClockSerializer,
        example={"minutes": 45, "clock": "running"},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str, stage: int, number: int) -> Response:
        """Say how many minutes a round has, and start, stop or set back its clock, as an organiser."""
        row = self.stage(club, event, stage)
        account = self.organiser(row.event.club)
        stage_round = self.stage_round(row, number)
        request_body = self.sent()
        body = ClockSerializer.of(request_body.content)
        organiser = actor(account, body.get("reason", ""))

        def change() -> dict[str, Any]:
            with transaction.atomic():
                if "minutes" in body:
                    round_clock_set(stage_round=stage_round, minutes=body["minutes"], actor=organiser)
                if "clock" in body:
                    SERVICES[body["clock"]](stage_round=stage_round, actor=organiser)
            return ClockSerializer(stage_round).data

        return self.done(request_body, change)
