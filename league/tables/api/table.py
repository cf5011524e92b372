"""Tables: who sits there, why, what came of it, and where results are entered."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from io import BytesIO
from itertools import islice
from typing import Any, NamedTuple

from django.conf import settings
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from engine.illegal import Illegal
from engine.notation.files import record_lines
from games.models.public_id import LENGTH
from league.clubs.api.player import PlayerSerializer
from league.clubs.models import User
from league.events.api.view import EventWriteView, actor
from league.frame.api.body import Body, Serializer, bad_value, several, value_fault
from league.frame.api.document import change_documented, documented, record_documented
from league.frame.api.fields import LinkField
from league.frame.api.links import draw_link, game_link, round_link, stage_link, table_link
from league.frame.api.parameters import SeenBy
from league.frame.api.problems import Problem
from league.seasons.api.view import SeenView
from league.seasons.api.writing import BodyParser, NotationParser, SentBody, WriteView
from league.stages.models import Stage
from league.tables.api.member import PLAYER, MemberSerializer
from league.tables.api.view import stage_versions
from league.tables.domain.stage import StageTable
from league.tables.domain.table import SeatedTable, draw_of, points_count, seated, table_why
from league.tables.models import Table
from league.tables.queries.access import may_enter_result, table_for
from league.tables.queries.stage import stage_facts, table_facts
from league.tables.services.result import NoResult, table_game_enter, table_outcome_enter
from league.tables.services.walkover import walkover_give, walkover_undo


class TableOfStage(NamedTuple):
    """A table, the address of its stage, the number of its group, and the id of its draw, None where it has none."""

    seated: SeatedTable
    stage: str
    group: int
    draw: str | None = None

    @property
    def table(self) -> StageTable:
        """The table as the stage has it."""
        return self.seated.table


class FinishSerializer(Serializer):
    """Somebody's finish in a game; `points` are null where they weren't told."""

    entry = serializers.CharField(source="member.entry_id")
    player = PlayerSerializer(source="member", columns=PLAYER)
    rank = serializers.IntegerField()
    points = serializers.IntegerField(allow_null=True)


class TableGameSerializer(Serializer):
    """A game of a table. Nobody has finished it until it is over."""

    number = serializers.IntegerField(help_text="From 1.")
    game = LinkField(game_link, "game", help_text="Its address.")
    finishes = FinishSerializer(many=True)


class WalkoverSerializer(Serializer):
    """The walkover of a table: to whom it was given without play (nobody, if all had left), and why."""

    to = MemberSerializer(source="present", many=True)
    reason = serializers.CharField()


class TablePlayedSerializer(Serializer):
    """A table and what came of it. `seats` are in order: the first one opens."""

    id = serializers.CharField(source="table.public_id")
    number = serializers.IntegerField(source="table.number")
    label = serializers.CharField(  # type: ignore[assignment]
        source="table.label", help_text="What it is called in a bracket; else empty."
    )
    place = serializers.CharField(source="table.place", help_text="In which room, and where it stands.")
    starts_at = serializers.DateTimeField(source="table.starts_at", allow_null=True)
    round = serializers.IntegerField(source="table.round_number")
    round_url = LinkField(round_link, "stage", "table.round_number")
    group = serializers.IntegerField()
    finished = serializers.BooleanField(source="table.finished")
    seats = MemberSerializer(source="seated.members", many=True)
    games = TableGameSerializer(source="seated.games", many=True)
    walkover = WalkoverSerializer(source="seated.walkover", allow_null=True)
    url = LinkField(table_link, "table.public_id")


class TableSerializer(TablePlayedSerializer):
    """A table, what came of it, and `why` it is what it is: a sentence for each criterion of the draw."""

    why = serializers.ListField(source="seated.why", child=serializers.CharField())
    draw = LinkField(draw_link, "draw", allow_null=True, help_text="The address of the draw; null at a ladder.")


class TableView(SeenView):
    """A view of one table."""

    def table(self, table: str) -> Table:
        """The published table, if the viewer may see its event. Raises `Table.DoesNotExist`."""
        row = table_for(self.viewer(), table)
        club = row.stage_round.stage.event.club.slug
        return table_for(self.viewer(club), table) if self.is_foreign(club) else row


def table_answer(table: Table) -> dict[str, Any]:
    """A table as it is stored now, as it is sent."""
    stage = table.stage_round.stage
    facts = stage_facts(stage)
    row = next(row for row in facts.tables if row.pk == table.pk)
    draw = draw_of(facts, row.round_number, row.group)
    seats = seated(facts, row, table_why(facts, row))
    draw_id = draw.public_id if draw else None
    return TableSerializer(TableOfStage(seats, address_of(stage), table.group.number, draw_id)).data


def played_answer(table: Table) -> dict[str, Any]:
    """A table and what has come of it by now, as it is sent: as quickly in a large stage as in a small one."""
    stage = table.stage_round.stage
    facts = table_facts(table)
    seats = seated(facts, facts.tables[0], [])
    return TablePlayedSerializer(TableOfStage(seats, address_of(stage), table.group.number)).data


def address_of(stage: Stage) -> str:
    """The address of a stage."""
    return stage_link(stage.event.club.slug, stage.event.slug, stage.number)


class EventTable(TableView):
    """One table, by its public id."""

    @documented("get_table", "A table", TableSerializer, problems=[404], parameters=[SeenBy])
    def get(self, request: Request, table: str) -> HttpResponseBase:
        """One table of a published round: its seats, its games, and why it was drawn like this."""
        row = self.table(table)
        return self.unless_unchanged(stage_versions(row.stage_round.stage), lambda: Response(table_answer(row)))


class ResultView(TableView, WriteView):
    """A view that enters what came of a table."""

    def enters(self, table: Table) -> User:
        """The account that enters the result. Raises `NotAuthenticated` or `PermissionDenied`."""
        account = self.known_account(table.stage_round.stage.event.club)
        if not may_enter_result(self.viewer(), table):
            raise PermissionDenied("Scorers and organisers of the club, and who sits at the table, may do this.")
        return account

    def entered(self, table: Table, request_body: SentBody, enter: Callable[[], Any]) -> Response:
        """The table with its new result. Raises problems 422 with the code of what is wrong with it."""

        def work() -> dict[str, Any]:
            try:
                enter()
            except NoResult as refused:
                raise _no_result(refused.illegal) from refused
            return played_answer(table)

        return self.done(request_body, work)


def _no_result(illegal: Illegal) -> Problem:
    """A 422 with the code of a fault, and its place in the record."""
    fault: dict[str, Any] = illegal.as_json()
    place = {name: value for name, value in fault.items() if name not in ("code", "message")}
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, illegal.code, illegal.message, errors=[fault], **place)


class TableGames(ResultView):
    """The games of a table: where their records are entered."""

    parser_classes = (BodyParser, NotationParser)

    @record_documented("enter_table_game", "Enter a table's game", TablePlayedSerializer)
    def post(self, request: Request, table: str) -> Response:
        """Seal the record of a game that was played at a table, as a scorer, an organiser, or one who sits there.

        The same record again changes nothing.
        """
        row = self.table(table)
        account = self.enters(row)
        request_body = self.sent()
        line = one_record(request_body)
        return self.entered(row, request_body, lambda: table_game_enter(table=row, line=line, actor=actor(account)))


def one_record(request_body: SentBody) -> bytes:
    """The one record that a body holds, as JSON. Raises problems 400 and 422."""
    if not request_body.many:
        return request_body.content
    lines = list(islice(record_lines(BytesIO(request_body.content), settings.IMPORT_LIMITS), 2))
    if len(lines) != 1:
        raise bad_value([value_fault("", "Send one game.")])
    content = lines[0].content
    if isinstance(content, Illegal):
        raise _no_result(content)
    return content


class FinishBody(Body):
    """Somebody's finish in the game."""

    entry = serializers.CharField(max_length=LENGTH, help_text="The id of the entry.")
    rank = serializers.IntegerField(
        min_value=1, max_value=6, help_text="1 is the best; equal ranks are shared: 1, 1, 3."
    )
    points = serializers.IntegerField(
        required=False, min_value=-9999, max_value=9999, help_text="For everybody, or for nobody."
    )


class OutcomeBody(Body):
    """A game of which only the end is known: everybody who played."""

    finishes = several(FinishBody, least=2, most=6)
    number = serializers.IntegerField(
        default=0, min_value=0, max_value=9,
        help_text="That of the game at the table, from 1; 0 is the next one. The same twice is one game.",
    )  # fmt: skip

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse somebody who finished twice, and points for some alone."""
        finishes = attrs["finishes"]
        if len({finish["entry"] for finish in finishes}) < len(finishes):
            raise serializers.ValidationError({"finishes": "Name everybody once."})
        if len({"points" in finish for finish in finishes}) > 1:
            raise serializers.ValidationError({"finishes": "Tell the points of everybody, or of nobody."})
        return attrs


class TableOutcome(ResultView):
    """The end of a game of a table, where nothing else of it was written down."""

    @change_documented(
        "enter_table_outcome", "Enter who finished where", OutcomeBody, TablePlayedSerializer,
        example={"finishes": [{"entry": "m6tz2kq9xr", "rank": 1}, {"entry": "b3hw7rk5zt", "rank": 2}], "number": 1},
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        """Seal a game of which only the end is known, as a scorer, an organiser, or one who sits at the table."""
        row = self.table(table)
        account = self.enters(row)
        request_body = self.sent()
        body = OutcomeBody.of(request_body.content)
        finishes = body["finishes"]
        if "points" not in finishes[0] and points_count(row):
            raise bad_value([value_fault("/finishes", "The points count here: tell those of everybody.", "required")])
        ranks = {finish["entry"]: finish["rank"] for finish in finishes}
        points = {finish["entry"]: finish["points"] for finish in finishes if "points" in finish} or None

        def enter() -> None:
            table_outcome_enter(table=row, ranks=ranks, points=points, number=body["number"], actor=actor(account))

        return self.entered(row, request_body, enter)


class WalkoverBody(Body):
    """The decision to give a table without play, or not. Everybody can read the reason."""

    stands = serializers.BooleanField(default=True, help_text="False: it is played after all.")
    reason = serializers.CharField(max_length=500)


class TableWalkover(TableView, EventWriteView):
    """The decision about a table at which too few are left."""

    @change_documented(
        "give_table", "Give a table without play", WalkoverBody, TableSerializer,
        example={"stands": True, "reason": "The other one had to leave."},
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        """Give a table without play to those who are left there, as an organiser, or undo it.

        They have a bye for the round; in a knock-out they go on. Withdraw first who has left.
        """
        row = self.table(table)
        account = self.organiser(row.stage_round.stage.event.club)
        request_body = self.sent()
        body = WalkoverBody.of(request_body.content)

        def decide() -> dict[str, Any]:
            service = walkover_give if body["stands"] else walkover_undo
            service(table=row, actor=actor(account, body["reason"]))
            return table_answer(row)

        return self.done(request_body, decide)
