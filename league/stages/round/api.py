"""API of rounds: requesting, publishing, changing and taking back, and their tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django.utils.functional import cached_property
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS
from rest_framework.response import Response

from engine.record.kinds import SEATS
from league.core.frame.api.links import draw_link, round_link
from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import (
    Body,
    IdsField,
    LinkField,
    MessageSerializer,
    ModelSerializer,
)
from league.core.log.services import Actor
from league.events.event.api import EventWriteView
from league.stages.result.domain.result import without_points
from league.stages.round.models import StageRound
from league.stages.round.queries import retracted_round, retraction_of
from league.stages.round.services import round_ask, round_change, round_publish, round_take_back
from league.stages.stage.api.view import MemberSerializer, RoundView
from league.stages.stage.domain.facts import DRAWN, NO_ROUND, Member, StageFacts
from league.stages.stage.models import Stage
from league.stages.stage.queries.facts import round_facts
from league.stages.table.api import RetractionSerializer, TableSerializer
from league.stages.table.domain.table import round_byes
from league.stages.table.queries.access import table_for
from league.stages.table.queries.table import TableOfStage, drawn_table, tables_of_round
from league.stages.table.services.table import table_set_up
from league.standings.ranking.api.view import ReasonBody, changes

Status = StageRound.Status
MOST_TABLES: Final = 10_000
PUBLISHED: Final = {"status": "published"}
SEATING: Final = {
    "tables": [["m6tz2kq9xr", "b3hw7rk5zt"]],
    "draws": ["d9kx4wv2mr"],
    "reason": "They came by one car.",
}
OF_STAGE: Final = ("stage.event.club.slug", "stage.event.slug", "stage.number", "number")


class RoundSerializer(ModelSerializer[StageRound]):
    """A round. Rounds that aren't published yet or couldn't be drawn (`failure`) are shown to
    organisers only."""

    failure = MessageSerializer(source="failure_message", allow_null=True, read_only=True)
    clock = LinkField(round_link, *OF_STAGE, tail="clock/", help_text="The address of its clock.")
    draws = serializers.SerializerMethodField()
    byes = serializers.SerializerMethodField(help_text="The players who sit out.")
    open_tables = serializers.SerializerMethodField(help_text="How many tables aren't finished.")
    tables_without_points = serializers.SerializerMethodField(
        help_text=(
            "How many tables of the stage are over but give nobody points yet, because only "
            "ranks were entered."
        )
    )
    url = LinkField(round_link, *OF_STAGE, help_text="The address of the round.")
    tables = LinkField(
        round_link, *OF_STAGE, tail="tables/", help_text="The address of its tables."
    )
    taken_back = serializers.SerializerMethodField(
        help_text="Null unless the round was taken back."
    )

    class Meta:
        model = StageRound
        fields = [
            "id",
            "number",
            "status",
            "failure",
            "starts_at",
            "minutes",
            "clock_started_at",
            "clock",
            "draws",
            "byes",
            "open_tables",
            "tables_without_points",
            "url",
            "tables",
            "taken_back",
        ]
        read_only_fields = fields

    def get_draws(self, row: StageRound) -> list[str]:
        """The addresses of the draws, one for each group."""
        if row.status == Status.FAILED:
            return []
        draws = self._in_round(row, self.context["facts"].draws)
        return [draw_link(draw.public_id) for draw in draws]

    @extend_schema_field(MemberSerializer(many=True))
    def get_byes(self, row: StageRound) -> list[dict[str, Any]]:
        """The players who sit out."""
        byes: list[Member] = []
        if row.status != Status.FAILED:
            byes = round_byes(self.context["facts"], row.number)
        return list(MemberSerializer(byes, many=True).data)

    def get_open_tables(self, row: StageRound) -> int:
        """The number of tables that aren't finished."""
        if row.status in NO_ROUND:
            return 0
        return len(self._in_round(row, self.context["facts"].open_tables))

    def get_tables_without_points(self, row: StageRound) -> int:
        """The number of tables, of all rounds of the stage, that lack points."""
        return len(without_points(self.context["facts"]))

    @extend_schema_field(RetractionSerializer(allow_null=True))
    def get_taken_back(self, row: StageRound) -> dict[str, Any] | None:
        """When and why it was taken back."""
        retraction = retraction_of(row)
        return RetractionSerializer(retraction).data if retraction else None

    @staticmethod
    def _in_round(row: StageRound, parts: Iterable[Any]) -> list[Any]:
        return [part for part in parts if part.round_number == row.number]


class AskRoundBody(ReasonBody):
    """The request for a round. `at_once`: publish it as soon as it is drawn. `ahead`: draw and
    publish all planned rounds after it, too, if the format's draws need no results."""

    at_once = serializers.BooleanField(default=False)
    ahead = serializers.BooleanField(default=False)


class RoundStatusBody(ReasonBody):
    """The new status of a round. `with_results`: take it back even if games were played; they then
    count only in the season. `void`: games of its tables, and of those of later rounds, to void
    with it. Everybody can read the reason; it is required once the event has ended, and if games
    are voided."""

    status = serializers.ChoiceField([Status.PUBLISHED, Status.TAKEN_BACK])
    with_results = serializers.BooleanField(default=False)
    void = IdsField(MOST_TABLES, required=False, default=(), help_text="The ids of games.")


class SeatingBody(Body):
    """A seating: ids of entries in seat order, table by table, in the order of the tables' numbers.
    `draws`: the ids of the draws you have seen, so that nobody's change is lost. Everybody can read
    the reason."""

    tables = serializers.ListField(child=IdsField(SEATS[-1]), max_length=MOST_TABLES)
    draws = IdsField(64)
    reason = serializers.CharField(max_length=500)


class SittingBody(ReasonBody):
    """The players of a table: ids of entries in seat order, on a ladder the challenger first."""

    players = IdsField(SEATS[-1], min_length=SEATS[0])


class Rounds(RoundView, EventWriteView):
    """The rounds of a stage."""

    @cached_property
    def stage_round(self) -> StageRound:
        """The round of the address; when reading, also one that was taken back. Raise
        `DoesNotExist`."""
        try:
            return super().stage_round
        except StageRound.DoesNotExist:
            if self.request.method not in SAFE_METHODS:
                raise
            return retracted_round(self.stage, self.kwargs["number"])

    def facts(self) -> StageFacts:
        """Return the facts that the viewer may see: of the stage, or of a round taken back."""
        if "number" in self.kwargs and self.stage_round.status == Status.TAKEN_BACK:
            return round_facts(self.stage_round)
        return super().facts()

    def get_serializer_context(self) -> dict[str, Any]:
        """Return the facts that the viewer may see."""
        return {"facts": self.facts()}

    @reads("A stage's rounds", RoundSerializer(many=True))
    def list_rounds(self, stage: Stage) -> list[StageRound]:
        """List the rounds of a stage in order."""
        rows = stage.stage_rounds.exclude(status=Status.TAKEN_BACK).order_by("pk")
        if not self.runs:
            rows = rows.filter(status__in=DRAWN)
        # A round that failed and was requested again is listed once, as its newest row.
        return list({row.number: row for row in rows}.values())

    @changes("Request the next round", AskRoundBody, RoundSerializer, created=True)
    def ask_round(self, stage: Stage, body: dict[str, Any], actor: Actor) -> StageRound:
        """Request the next round, as an organiser. A job draws it: read its address until its
        status is `drawn`."""
        stage_round = round_ask(
            stage=stage, actor=actor, at_once=body["at_once"], ahead=body["ahead"]
        )
        stage_round.stage = stage
        return stage_round

    @reads("A round", RoundSerializer)
    def get_round(self, stage_round: StageRound) -> StageRound:
        """Return one round, by its number; organisers can also see it before it is published. If no
        round has that number any more, return the one that was published and taken back."""
        return stage_round

    @reads("A round's tables", TableSerializer(many=True))
    def list_tables(self, stage_round: StageRound) -> Response:
        """List the tables of a round with their players, the reasons of the draw, and results."""
        facts = self.facts()
        return self.paged(tables_of_round(facts, stage_round), TableSerializer, facts=facts)

    @changes(
        "Publish a round, or take it back", RoundStatusBody, RoundSerializer, example=PUBLISHED
    )
    def move_round(self, stage_round: StageRound, body: dict[str, Any], actor: Actor) -> StageRound:
        """Publish a drawn round, or take a round back together with all rounds after it, as an
        organiser."""
        if body["status"] == Status.PUBLISHED:
            round_publish(stage_round=stage_round, actor=actor)
        else:
            round_take_back(
                stage_round=stage_round,
                actor=actor,
                with_results=body["with_results"],
                void=body["void"],
            )
        stage_round.stage = self.stage  # the service has reloaded the round without it
        return stage_round

    @changes("Change a draw by hand", SeatingBody, RoundSerializer, example=SEATING)
    def seat_round(self, stage_round: StageRound, body: dict[str, Any], actor: Actor) -> StageRound:
        """Change the seating of a drawn round, as an organiser. The change is stored as a new
        draw."""
        round_change(
            stage_round=stage_round, tables=body["tables"], draws_seen=body["draws"], actor=actor
        )
        return stage_round

    @changes("Set up a challenge", SittingBody, TableSerializer, created=True)
    def make_challenge(self, stage: Stage, body: dict[str, Any], actor: Actor) -> TableOfStage:
        """Set up a table of a ladder, as an organiser. It is a separate round, and its result is
        entered like any other."""
        return self.set_up(stage, body, actor)

    @changes("Set up a free table", SittingBody, TableSerializer, created=True)
    def set_up_table(self, stage: Stage, body: dict[str, Any], actor: Actor) -> TableOfStage:
        """Set up one more table in a stage of free tables, as an organiser. Latecomers join the
        stage with it."""
        return self.set_up(stage, body, actor)

    def set_up(self, stage: Stage, body: dict[str, Any], actor: Actor) -> TableOfStage:
        """Set up a table in a stage without a draw, and return it as it is read from then on."""
        table = table_set_up(stage=stage, players=body["players"], actor=actor)
        return drawn_table(table_for(self.viewer(self.club.slug), table.public_id))
