"""The clock of a round: read, set, started, stopped."""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.draws.api.round import RoundView
from league.events.api.view import EventWriteView, actor
from league.frame.api.body import Body
from league.frame.api.document import change_documented, documented
from league.frame.api.parameters import SeenBy
from league.hall.domain.clock import round_clock
from league.hall.services.clock import LONGEST, round_clock_reset, round_clock_set, round_clock_start, round_clock_stop
from league.tables.api.view import stage_versions
from league.tables.models import StageRound

SERVICES: Final = {"running": round_clock_start, "stopped": round_clock_stop, "full": round_clock_reset}
"""What lets a clock stand as it shall."""


class ClockShape(serializers.Serializer[None]):
    """The clock of a round. While it runs it has an end (`ends_at`), else seconds that are `left`."""

    minutes = serializers.IntegerField(allow_null=True, help_text="How long the round lasts; null: it has no clock.")
    started_at = serializers.DateTimeField(
        allow_null=True, help_text="Later than it was, by as long as the clock stood still."
    )
    stopped_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    left = serializers.IntegerField(allow_null=True)


def clock_json(stage_round: StageRound) -> dict[str, Any]:
    """The clock of a round as it is sent: nothing of it changes by itself."""
    clock = round_clock(stage_round)
    ends_at = clock.ends_at if clock else None
    return {
        "minutes": stage_round.minutes,
        "started_at": stage_round.clock_started_at,
        "stopped_at": stage_round.clock_stopped_at,
        "ends_at": ends_at,
        "left": clock.left if clock and ends_at is None else None,
    }


EXAMPLE: Final = {
    "minutes": 45, "started_at": "2026-12-03T18:35:00Z", "stopped_at": None, "ends_at": "2026-12-03T19:20:00Z",
    "left": None,
}  # fmt: skip


class ClockBody(Body):
    """How many minutes a round has, also while its clock runs (null: it has no clock); and how the clock shall be:
    `running`, `stopped` where it is, or standing at its `full` time."""

    minutes = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=LONGEST)
    clock = serializers.ChoiceField(list(SERVICES), required=False)
    reason = serializers.CharField(required=False, allow_blank=True, max_length=500)


class ClockOfRound(RoundView, EventWriteView):
    """The clock of a round."""

    @documented("get_round_clock", "A round's clock", ClockShape, problems=[404], parameters=[SeenBy], example=EXAMPLE)
    def get(self, request: Request, club: str, event: str, stage: int, number: int) -> HttpResponseBase:
        """How much time a round has, and when it ends."""
        found = self.stage(club, event, stage)
        stage_round = self.stage_round(found, number)
        return self.unless_unchanged(stage_versions(found), lambda: Response(clock_json(stage_round)))

    @change_documented(
        "set_round_clock", "Set, start or stop a round's clock", ClockBody, ClockShape,
        example={"minutes": 45, "clock": "running"}, answered=EXAMPLE,
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str, stage: int, number: int) -> Response:
        """Say how many minutes a round has, and start, stop or set back its clock, as an organiser."""
        found = self.stage(club, event, stage)
        account = self.organiser(found.event.club)
        stage_round = self.stage_round(found, number)
        sent = self.sent()
        said = ClockBody.of(sent.content)
        who = actor(account, said.get("reason", ""))

        def change() -> dict[str, Any]:
            with transaction.atomic():
                if "minutes" in said:
                    round_clock_set(stage_round=stage_round, minutes=said["minutes"], actor=who)
                if "clock" in said:
                    SERVICES[said["clock"]](stage_round=stage_round, actor=who)
            return clock_json(stage_round)

        return self.done(sent, change)
