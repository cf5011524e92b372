"""Rounds of a stage: asking for one, publishing it, taking it back, changing it by hand; and their tables."""

from __future__ import annotations

from typing import Any, Final

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.messages import Message
from games.models.public_id import LENGTH
from league.draws.services.round import round_ask, round_change, round_publish, round_take_back
from league.entries.api.member import MEMBER, MemberShape
from league.events.api.view import EventWriteView, actor
from league.frame.api.body import Body
from league.frame.api.document import change_documented, documented
from league.frame.api.links import draw_link, stage_link
from league.frame.api.message import MessageShape, message_json
from league.frame.api.parameters import Paged, SeenBy
from league.seasons.api.view import SeenListView
from league.stages.models import Stage
from league.tables.api.member import member_json
from league.tables.api.table import EXAMPLE as TABLE
from league.tables.api.table import TableShape, table_json
from league.tables.api.view import StageView, stage_versions
from league.tables.domain.stage import DRAWN, StageFacts
from league.tables.domain.table import round_byes, round_tables
from league.tables.models import StageRound
from league.tables.queries.access import round_of

Status = StageRound.Status
MOST_TABLES: Final = 10_000


class RoundShape(serializers.Serializer[None]):
    """A round. What isn't published yet, or could not be drawn (`failure`), is told to organisers alone."""

    id = serializers.CharField()
    number = serializers.IntegerField()
    status = serializers.ChoiceField(Status.choices)
    failure = MessageShape(allow_null=True)
    starts_at = serializers.DateTimeField(allow_null=True)
    minutes = serializers.IntegerField(allow_null=True)
    clock_started_at = serializers.DateTimeField(allow_null=True)
    clock = serializers.CharField(help_text="The address of its clock.")
    draws = serializers.ListField(child=serializers.CharField(), help_text="Addresses of the draws, one a group.")
    byes = MemberShape(many=True, help_text="Who sits out.")
    open_tables = serializers.IntegerField(help_text="How many tables aren't finished.")
    url = serializers.CharField()
    tables = serializers.CharField(help_text="The address of its tables.")


def round_json(stage_round: StageRound, facts: StageFacts) -> dict[str, Any]:
    """A round as it is sent."""
    stage = facts.stage
    url = f"{stage_link(stage.event.club.slug, stage.event.slug, stage.number)}rounds/{stage_round.number}/"
    gone = stage_round.status in (Status.TAKEN_BACK, Status.FAILED)
    failure = stage_round.failure
    return {
        "id": stage_round.public_id,
        "number": stage_round.number,
        "status": stage_round.status,
        "failure": message_json(Message.from_json(failure)) if failure else None,
        "starts_at": stage_round.starts_at,
        "minutes": stage_round.minutes,
        "clock_started_at": stage_round.clock_started_at,
        "clock": f"{url}clock/",
        "draws": [] if gone else [draw_link(draw.id) for draw in facts.draws if draw.round == stage_round.number],
        "byes": [] if gone else [member_json(member) for member in round_byes(facts, stage_round.number)],
        "open_tables": 0 if gone else sum(table.round == stage_round.number for table in facts.open_tables),
        "url": url,
        "tables": f"{url}tables/",
    }


URL: Final = f"{stage_link('zum-stern', 'night-1', 1)}rounds/1/"
EXAMPLE: Final = {
    "id": "h2wt9kz5xq", "number": 1, "status": "published", "failure": None, "starts_at": None, "minutes": None,
    "clock_started_at": None, "draws": [draw_link("d9kx4wv2mr")], "byes": [MEMBER], "open_tables": 4, "url": URL,
    "tables": f"{URL}tables/", "clock": f"{URL}clock/",
}  # fmt: skip


class AskBody(Body):
    """Why the next round is asked for, for the club's log. May be left out; send `{}` then."""

    reason = serializers.CharField(required=False, allow_blank=True, max_length=500)


class RoundStatusBody(Body):
    """Where a round shall stand. `with_results`: take it back though games were played, which then count in the season
    alone."""

    status = serializers.ChoiceField([Status.PUBLISHED, Status.TAKEN_BACK])
    with_results = serializers.BooleanField(default=False)
    reason = serializers.CharField(required=False, allow_blank=True, max_length=500)


class SeatingBody(Body):
    """Who sits where: ids of entries in seat order, table by table, by the tables' numbers. `draws`: the ids of the
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

    def round_now(self, stage_round: StageRound) -> dict[str, Any]:
        """A round as it is stored now, as it is sent."""
        return round_json(stage_round, self.facts(stage_round.stage))


class Rounds(RoundView, EventWriteView, SeenListView):
    """The rounds of a stage, and where organisers ask for the next one."""

    parameters = Paged

    @documented(
        "list_rounds", "A stage's rounds", RoundShape(many=True), problems=[404], parameters=[Paged], example=EXAMPLE
    )
    def get(self, request: Request, club: str, event: str, stage: int) -> HttpResponseBase:
        """The rounds of a stage in order; the newest draw of each."""
        found = self.stage(club, event, stage)

        def answer() -> HttpResponseBase:
            facts = self.facts(found)
            return self.paged(self._rows(found), lambda row: round_json(row, facts))

        return self.unless_unchanged((*stage_versions(found), self.runs(found.event.club)), answer)

    def _rows(self, stage: Stage) -> list[StageRound]:
        rows = StageRound.objects.filter(stage=stage).exclude(status=Status.TAKEN_BACK).order_by("pk")
        if not self.runs(stage.event.club):
            rows = rows.filter(status__in=DRAWN)
        return list({row.number: row for row in rows}.values())

    @change_documented(
        "ask_round", "Ask for the next round", AskBody, RoundShape, created=True, example={},
        answered=EXAMPLE | {"status": "asked", "draws": [], "byes": [], "open_tables": 0},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str, stage: int) -> Response:
        """Ask for the next round, as an organiser. A job draws it: look at its address until it is `drawn`."""
        found = self.stage(club, event, stage)
        account = self.organiser(found.event.club)
        sent = self.sent()
        said = AskBody.of(sent.content)

        def ask() -> dict[str, Any]:
            asked = round_ask(stage=found, actor=actor(account, said.get("reason", "")))
            asked.stage = found
            return self.round_now(asked)

        return self.done(sent, ask, status=201)


class OneRound(RoundView):
    """One round of a stage, by its number."""

    @documented("get_round", "A round", RoundShape, problems=[404], parameters=[SeenBy], example=EXAMPLE)
    def get(self, request: Request, club: str, event: str, stage: int, number: int) -> HttpResponseBase:
        """One round, by its number; to organisers also while it isn't published."""
        found = self.stage(club, event, stage)
        stage_round = self.stage_round(found, number)
        return self.unless_unchanged(stage_versions(found), lambda: Response(self.round_now(stage_round)))


class RoundTables(RoundView, SeenListView):
    """The tables of a round."""

    @documented(
        "list_tables", "A round's tables", TableShape(many=True), problems=[404], parameters=[Paged], example=TABLE
    )
    def get(self, request: Request, club: str, event: str, stage: int, number: int) -> HttpResponseBase:
        """The tables of a round: who sits there, why, and what came of it."""
        found = self.stage(club, event, stage)
        stage_round = self.stage_round(found, number)
        return self.unless_unchanged(stage_versions(found), lambda: self.paged(self._rows(stage_round), dict))

    def _rows(self, stage_round: StageRound) -> list[dict[str, Any]]:
        """The tables in the order of their numbers; those of a round that could not be drawn are none."""
        if stage_round.status == Status.FAILED:
            return []
        stage = stage_round.stage
        facts = self.facts(stage)
        address = stage_link(stage.event.club.slug, stage.event.slug, stage.number)
        groups = zip(facts.groups, round_tables(facts, stage_round), strict=True)
        return [table_json(row, shown.draw, address, group.number) for group, shown in groups for row in shown.tables]


class RoundStatus(RoundView, EventWriteView):
    """Where a round stands."""

    @change_documented(
        "move_round", "Publish a round, or take it back", RoundStatusBody, RoundShape, example={"status": "published"},
        answered=EXAMPLE,
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str, stage: int, number: int) -> Response:
        """Let everybody see a drawn round, or take it back with all rounds after it, as an organiser."""
        found = self.stage(club, event, stage)
        account = self.organiser(found.event.club)
        stage_round = self.stage_round(found, number)
        sent = self.sent()
        said = RoundStatusBody.of(sent.content)
        who = actor(account, said.get("reason", ""))

        def move() -> dict[str, Any]:
            if said["status"] == Status.PUBLISHED:
                round_publish(stage_round=stage_round, actor=who)
            else:
                round_take_back(stage_round=stage_round, actor=who, with_results=said["with_results"])
            stage_round.stage = found
            return self.round_now(stage_round)

        return self.done(sent, move)


class RoundSeating(RoundView, EventWriteView):
    """Who sits where in a round, changed by hand."""

    @change_documented(
        "seat_round", "Change a draw by hand", SeatingBody, RoundShape,
        example={"tables": [["m6tz2kq9xr", "b3hw7rk5zt"]], "draws": ["d9kx4wv2mr"], "reason": "They came by one car."},
        answered=EXAMPLE,
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str, stage: int, number: int) -> Response:
        """Seat a round otherwise than it was drawn, as an organiser. The change is kept as a draw of its own."""
        found = self.stage(club, event, stage)
        account = self.organiser(found.event.club)
        stage_round = self.stage_round(found, number)
        sent = self.sent()
        said = SeatingBody.of(sent.content)

        def seat() -> dict[str, Any]:
            round_change(
                stage_round=stage_round,
                tables=said["tables"],
                draws_seen=said["draws"],
                actor=actor(account, said["reason"]),
            )
            return self.round_now(stage_round)

        return self.done(sent, seat)
