"""Rounds of a stage: asking for one, publishing it, taking it back, changing it by hand; and their tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.messages import Message
from games.models.public_id import LENGTH
from league.draws.services.round import round_ask, round_change, round_publish, round_take_back
from league.events.api.view import EventWriteView, actor
from league.frame.api.body import Body, ModelSerializer
from league.frame.api.document import change_documented, documented
from league.frame.api.links import draw_link, round_link
from league.frame.api.message import MessageSerializer
from league.frame.api.parameters import Paged, SeenBy
from league.seasons.api.view import SeenListView
from league.stages.models import Stage
from league.tables.api.member import MemberSerializer
from league.tables.api.table import TableOfStage, TableSerializer, address_of
from league.tables.api.view import StageView, stage_versions
from league.tables.domain.stage import DRAWN
from league.tables.domain.table import round_byes, round_tables
from league.tables.models import StageRound
from league.tables.queries.access import round_of

Status = StageRound.Status
GONE: Final = (Status.TAKEN_BACK, Status.FAILED)
"""Rounds without draws and tables that are played."""
MOST_TABLES: Final = 10_000


class RoundSerializer(ModelSerializer[StageRound]):
    """A round, in a context with the `facts` of its stage. What isn't published yet, or could not be drawn (`failure`),
    is told to organisers alone."""

    id = serializers.CharField(source="public_id")
    failure = serializers.SerializerMethodField()
    clock = serializers.SerializerMethodField(help_text="The address of its clock.")
    draws = serializers.SerializerMethodField(help_text="Addresses of the draws, one a group.")
    byes = serializers.SerializerMethodField(help_text="Who sits out.")
    open_tables = serializers.SerializerMethodField(help_text="How many tables aren't finished.")
    url = serializers.SerializerMethodField()
    tables = serializers.SerializerMethodField(help_text="The address of its tables.")

    class Meta:
        model = StageRound
        fields = [
            *(
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
            ),
            *("open_tables", "url", "tables"),
        ]
        read_only_fields = fields

    @extend_schema_field(MessageSerializer(allow_null=True))
    def get_failure(self, row: StageRound) -> dict[str, Any] | None:
        """The reason why it could not be drawn."""
        return MessageSerializer(Message.from_json(row.failure)).data if row.failure else None

    def get_draws(self, row: StageRound) -> list[str]:
        """The addresses of the draws."""
        draws = () if row.status in GONE else self._of(row, self.context["facts"].draws)
        return [draw_link(draw.public_id) for draw in draws]

    @extend_schema_field(MemberSerializer(many=True))
    def get_byes(self, row: StageRound) -> list[dict[str, Any]]:
        """Those who sit out."""
        byes = () if row.status in GONE else round_byes(self.context["facts"], row.number)
        return list(MemberSerializer(byes, many=True).data)

    def get_open_tables(self, row: StageRound) -> int:
        """The number of tables that aren't finished."""
        return 0 if row.status in GONE else len(self._of(row, self.context["facts"].open_tables))

    def get_url(self, row: StageRound) -> str:
        """The address of the round."""
        return round_link(address_of(self.context["facts"].stage), row.number)

    def get_clock(self, row: StageRound) -> str:
        """The address of its clock."""
        return f"{self.get_url(row)}clock/"

    def get_tables(self, row: StageRound) -> str:
        """The address of its tables."""
        return f"{self.get_url(row)}tables/"

    @staticmethod
    def _of(row: StageRound, parts: Iterable[Any]) -> list[Any]:
        return [part for part in parts if part.round_number == row.number]


class AskBody(Body):
    """The reason for the next round, for the club's log. May be left out; send `{}` then."""

    reason = serializers.CharField(required=False, allow_blank=True, max_length=500)


class RoundStatusBody(Body):
    """The status that a round shall have. `with_results`: take it back though games were played, which then count in
    the season alone."""

    status = serializers.ChoiceField([Status.PUBLISHED, Status.TAKEN_BACK])
    with_results = serializers.BooleanField(default=False)
    reason = serializers.CharField(required=False, allow_blank=True, max_length=500)


class SeatingBody(Body):
    """The seating: ids of entries in seat order, table by table, by the tables' numbers. `draws`: the ids of the
    draws that you have seen, so that nobody's change is lost. Everybody can read the reason."""

    tables = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField(max_length=LENGTH), max_length=6),
        max_length=MOST_TABLES,
    )
    draws = serializers.ListField(child=serializers.CharField(max_length=LENGTH), max_length=64)
    reason = serializers.CharField(max_length=500)


class RoundView(StageView):
    """A view of a round."""

    def stage_round(self, stage: Stage, number: int) -> StageRound:
        """The round, if the viewer may see it. Raises `StageRound.DoesNotExist`."""
        return round_of(stage, number, organiser=self.runs(stage.event.club))

    def round_answer(self, stage_round: StageRound) -> dict[str, Any]:
        """A round as it is stored now, as it is sent."""
        return RoundSerializer(stage_round, context={"facts": self.facts(stage_round.stage)}).data


class Rounds(RoundView, EventWriteView, SeenListView):
    """The rounds of a stage, and where organisers ask for the next one."""

    parameters = Paged

    @documented("list_rounds", "A stage's rounds", RoundSerializer(many=True), problems=[404], parameters=[Paged])
    def get(self, request: Request, club: str, event: str, stage: int) -> HttpResponseBase:
        """The rounds of a stage in order; the newest draw of each."""
        row = self.stage(club, event, stage)
        return self.unless_unchanged(
            (*stage_versions(row), self.runs(row.event.club)),
            lambda: self.paged(self._rows(row), RoundSerializer, facts=self.facts(row)),
        )

    def _rows(self, stage: Stage) -> list[StageRound]:
        rows = StageRound.objects.filter(stage=stage).exclude(status=Status.TAKEN_BACK).order_by("pk")
        if not self.runs(stage.event.club):
            rows = rows.filter(status__in=DRAWN)
        return list({row.number: row for row in rows}.values())

    @change_documented("ask_round", "Ask for the next round", AskBody, RoundSerializer, created=True)
    def post(self, request: Request, club: str, event: str, stage: int) -> Response:
        """Ask for the next round, as an organiser. A job draws it: look at its address until it is `drawn`."""
        row = self.stage(club, event, stage)
        account = self.organiser(row.event.club)
        request_body = self.sent()
        body = AskBody.of(request_body.content)

        def ask() -> dict[str, Any]:
            stage_round = round_ask(stage=row, actor=actor(account, body.get("reason", "")))
            stage_round.stage = row
            return self.round_answer(stage_round)

        return self.done(request_body, ask, status=201)


class OneRound(RoundView):
    """One round of a stage, by its number."""

    @documented("get_round", "A round", RoundSerializer, problems=[404], parameters=[SeenBy])
    def get(self, request: Request, club: str, event: str, stage: int, number: int) -> HttpResponseBase:
        """One round, by its number; to organisers also while it isn't published."""
        row = self.stage(club, event, stage)
        stage_round = self.stage_round(row, number)
        return self.unless_unchanged(stage_versions(row), lambda: Response(self.round_answer(stage_round)))


class RoundTables(RoundView, SeenListView):
    """The tables of a round."""

    @documented("list_tables", "A round's tables", TableSerializer(many=True), problems=[404], parameters=[Paged])
    def get(self, request: Request, club: str, event: str, stage: int, number: int) -> HttpResponseBase:
        """The tables of a round: who sits there, why, and what came of it."""
        row = self.stage(club, event, stage)
        stage_round = self.stage_round(row, number)
        return self.unless_unchanged(stage_versions(row), lambda: self.paged(self._rows(stage_round), TableSerializer))

    def _rows(self, stage_round: StageRound) -> list[TableOfStage]:
        """The tables in the order of their numbers; those of a round that could not be drawn are none."""
        if stage_round.status == Status.FAILED:
            return []
        facts = self.facts(stage_round.stage)
        address = address_of(stage_round.stage)
        return [
            TableOfStage(table, address, group.number, part.draw.public_id if part.draw else None)
            for group, part in zip(facts.groups, round_tables(facts, stage_round), strict=True)
            for table in part.tables
        ]


class RoundStatus(RoundView, EventWriteView):
    """The status of a round."""

    @change_documented(
        "move_round", "Publish a round, or take it back", RoundStatusBody, RoundSerializer,
        example={"status": "published"},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str, stage: int, number: int) -> Response:
        """Let everybody see a drawn round, or take it back with all rounds after it, as an organiser."""
        row = self.stage(club, event, stage)
        account = self.organiser(row.event.club)
        stage_round = self.stage_round(row, number)
        request_body = self.sent()
        body = RoundStatusBody.of(request_body.content)
        organiser = actor(account, body.get("reason", ""))

        def move() -> dict[str, Any]:
            if body["status"] == Status.PUBLISHED:
                round_publish(stage_round=stage_round, actor=organiser)
            else:
                round_take_back(stage_round=stage_round, actor=organiser, with_results=body["with_results"])
            stage_round.stage = row
            return self.round_answer(stage_round)

        return self.done(request_body, move)


class RoundSeating(RoundView, EventWriteView):
    """The seating of a round, changed by hand."""

    @change_documented(
        "seat_round", "Change a draw by hand", SeatingBody, RoundSerializer,
        example={"tables": [["m6tz2kq9xr", "b3hw7rk5zt"]], "draws": ["d9kx4wv2mr"], "reason": "They came by one car."},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str, stage: int, number: int) -> Response:
        """Seat a round otherwise than it was drawn, as an organiser. The change is kept as a draw of its own."""
        row = self.stage(club, event, stage)
        account = self.organiser(row.event.club)
        stage_round = self.stage_round(row, number)
        request_body = self.sent()
        body = SeatingBody.of(request_body.content)

        def seat() -> dict[str, Any]:
            round_change(
                stage_round=stage_round,
                tables=body["tables"],
                draws_seen=body["draws"],
                actor=actor(account, body["reason"]),
            )
            return self.round_answer(stage_round)

        return self.done(request_body, seat)
