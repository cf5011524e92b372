"""Rounds that today's results would have drawn otherwise, after a correction: read, and kept as they were played."""

from __future__ import annotations

from typing import Any, Final

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.events.api.view import EventWriteView, actor
from league.frame.api.body import Body
from league.frame.api.document import change_documented, documented
from league.frame.api.parameters import Paged
from league.rulings.domain.round import DrawnOtherwise, drawn_otherwise
from league.rulings.services.stage import played_keep
from league.seasons.api.view import SeenListView
from league.stages.queries.access import stage_of
from league.tables.api.view import StageView, stage_versions
from league.tables.queries.stage import stage_facts


class OtherwiseShape(serializers.Serializer[None]):
    """A round of a group with the tables that would be others now, and those in their place: ids of entries."""

    round = serializers.IntegerField()
    drawn = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    now = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))


class KeptShape(serializers.Serializer[None]):
    """How many rounds are kept by this."""

    kept = serializers.IntegerField()


def otherwise_json(differs: DrawnOtherwise) -> dict[str, Any]:
    """A round that would be drawn otherwise as it is sent."""
    return {"round": differs.round.number, "drawn": differs.drawn, "now": differs.now}


EXAMPLE: Final = {
    "round": 2, "drawn": [["m6tz2kq9xr", "b3hw7rk5zt"], ["g8vq4xm2hk", "s5kt9wz3dn"]],
    "now": [["m6tz2kq9xr", "s5kt9wz3dn"], ["g8vq4xm2hk", "b3hw7rk5zt"]],
}  # fmt: skip


class KeepBody(Body):
    """Why the rounds stay as they were played, for the club's log. May be left out; send `{}` then."""

    reason = serializers.CharField(required=False, allow_blank=True, max_length=500)


class RoundsOtherwise(StageView, EventWriteView, SeenListView):
    """The rounds of a stage that would be drawn otherwise now."""

    limit = "export"

    @documented(
        "list_otherwise", "Rounds that would be drawn otherwise", OtherwiseShape(many=True), problems=[404],
        parameters=[Paged], example=EXAMPLE,
    )  # fmt: skip
    def get(self, request: Request, club: str, event: str, stage: int) -> HttpResponseBase:
        """The rounds that corrected results would have drawn otherwise, and that nobody has kept; for organisers."""
        found = stage_of(self.run_event(club, event), stage)
        return self.unless_unchanged(
            stage_versions(found), lambda: self.paged(drawn_otherwise(stage_facts(found)), otherwise_json)
        )

    @change_documented(
        "keep_rounds", "Keep rounds as they were played", KeepBody, KeptShape, example={}, answered={"kept": 1}
    )
    def post(self, request: Request, club: str, event: str, stage: int) -> Response:
        """Keep the rounds as they were played, as an organiser; or take them back, the first of them with all later
        ones (`move_round`)."""
        found = self.stage(club, event, stage)
        account = self.organiser(found.event.club)
        sent = self.sent()
        said = KeepBody.of(sent.content)
        who = actor(account, said.get("reason", ""))
        return self.done(sent, lambda: {"kept": played_keep(stage=found, actor=who)})
