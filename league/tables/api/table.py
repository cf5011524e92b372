"""Tables: who sits there, why, what came of it, and where results are entered."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from io import BytesIO
from itertools import islice
from typing import Any, Final

from django.conf import settings
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from engine.illegal import Illegal
from engine.notation.files import record_lines
from games.models.public_id import LENGTH
from league.clubs.models import User
from league.entries.api.member import MEMBER, MemberShape
from league.events.api.view import EventWriteView, actor
from league.frame.api.body import Body, bad_value, several, value_fault
from league.frame.api.document import change_documented, documented, record_documented
from league.frame.api.links import draw_link, game_link, stage_link, table_link
from league.frame.api.parameters import SeenBy
from league.frame.api.problems import Problem
from league.seasons.api.view import SeenView
from league.seasons.api.writing import BodyParser, NotationParser, SentBody, WriteView
from league.tables.api.member import member_json
from league.tables.api.view import stage_versions
from league.tables.domain.stage import StageDraw
from league.tables.domain.table import SeatedTable, draw_of, points_count, seated, table_why
from league.tables.models import Table
from league.tables.queries.access import may_enter_result, table_for
from league.tables.queries.stage import stage_facts, table_facts
from league.tables.services.result import NoResult, table_game_enter, table_outcome_enter
from league.tables.services.walkover import walkover_give, walkover_undo


class FinishShape(MemberShape):
    """How somebody finished a game; `points` are null where they weren't told."""

    rank = serializers.IntegerField()
    points = serializers.IntegerField(allow_null=True)


class TableGameShape(serializers.Serializer[None]):
    """A game of a table. Nobody has finished it until it is over."""

    number = serializers.IntegerField(help_text="From 1.")
    game = serializers.CharField(help_text="Its address.")
    finishes = FinishShape(many=True)


class WalkoverShape(serializers.Serializer[None]):
    """That a table was given without play: to whom (nobody, if all had left), and why."""

    to = MemberShape(many=True)
    reason = serializers.CharField()


class TablePlayedShape(serializers.Serializer[None]):
    """A table and what came of it. `seats` are in order: the first one opens."""

    id = serializers.CharField()
    number = serializers.IntegerField()
    label = serializers.CharField(help_text="What it is called in a bracket; else empty.")  # type: ignore[assignment]
    place = serializers.CharField(help_text="In which room, and where it stands.")
    starts_at = serializers.DateTimeField(allow_null=True)
    round = serializers.IntegerField()
    round_url = serializers.CharField()
    group = serializers.IntegerField()
    finished = serializers.BooleanField()
    seats = MemberShape(many=True)
    games = TableGameShape(many=True)
    walkover = WalkoverShape(allow_null=True)
    url = serializers.CharField()


class TableShape(TablePlayedShape):
    """A table, what came of it, and `why` it is what it is: a sentence for each criterion of the draw."""

    why = serializers.ListField(child=serializers.CharField())
    draw = serializers.CharField(allow_null=True, help_text="The address of the draw; null at a ladder.")


def table_json(row: SeatedTable, draw: StageDraw | None, stage: str, group: int) -> dict[str, Any]:
    """A table as it is sent; `stage` is the address of its stage, `group` the number of its group."""
    return played_json(row, stage, group) | {"why": row.why, "draw": draw_link(draw.id) if draw else None}


def played_json(row: SeatedTable, stage: str, group: int) -> dict[str, Any]:
    """A table as it is sent to whoever has entered what came of it."""
    table = row.table
    return {
        "id": table.id,
        "number": table.number,
        "label": table.label,
        "place": table.place,
        "starts_at": table.starts_at,
        "round": table.round,
        "round_url": f"{stage}rounds/{table.round}/",
        "group": group,
        "finished": table.finished,
        "seats": [member_json(member) for member in row.members],
        "games": [
            {
                "number": game.number,
                "game": game_link(game.game),
                "finishes": [
                    {**member_json(finish.member), "rank": finish.rank, "points": finish.points}
                    for finish in game.finishes
                ],
            }
            for game in row.games
        ],
        "walkover": row.walkover
        and {"to": list(map(member_json, row.walkover.present)), "reason": row.walkover.reason},
        "url": table_link(table.id),
    }


PLAYED: Final = {
    "id": "w7hq3zt5kd", "number": 1, "label": "", "place": "1", "starts_at": None, "round": 1,
    "round_url": f"{stage_link('zum-stern', 'night-1', 1)}rounds/1/", "group": 1, "finished": True, "seats": [MEMBER],
    "games": [{"number": 1, "game": game_link("k3xw9tq7vb"), "finishes": [{**MEMBER, "rank": 1, "points": None}]}],
    "walkover": None, "url": table_link("w7hq3zt5kd"),
}  # fmt: skip
EXAMPLE: Final = PLAYED | {"why": ["Nobody here has met before."], "draw": draw_link("d9kx4wv2mr")}


class TableView(SeenView):
    """A view of one table."""

    def table(self, table: str) -> Table:
        """The published table, if the viewer may see its event. Raises `Table.DoesNotExist`."""
        found = table_for(self.viewer(), table)
        club = found.stage_round.stage.event.club.slug
        return table_for(self.viewer(club), table) if self.is_foreign(club) else found


def table_now(table: Table) -> dict[str, Any]:
    """A table as it is stored now, as it is sent."""
    stage = table.stage_round.stage
    facts = stage_facts(stage)
    row = next(row for row in facts.tables if row.pk == table.pk)
    address = stage_link(stage.event.club.slug, stage.event.slug, stage.number)
    draw = draw_of(facts, row.round, row.group)
    return table_json(seated(facts, row, table_why(facts, row)), draw, address, table.group.number)


def table_played(table: Table) -> dict[str, Any]:
    """What has come of a table by now, as it is sent: as quickly in a large stage as in a small one."""
    stage = table.stage_round.stage
    facts = table_facts(table)
    address = stage_link(stage.event.club.slug, stage.event.slug, stage.number)
    return played_json(seated(facts, facts.tables[0], []), address, table.group.number)


class EventTable(TableView):
    """One table, by its public id."""

    @documented("get_table", "A table", TableShape, problems=[404], parameters=[SeenBy], example=EXAMPLE)
    def get(self, request: Request, table: str) -> HttpResponseBase:
        """One table of a published round: its seats, its games, and why it was drawn like this."""
        found = self.table(table)
        versions = stage_versions(found.stage_round.stage)
        return self.unless_unchanged(versions, lambda: Response(table_now(found)))


class ResultView(TableView, WriteView):
    """A view that enters what came of a table."""

    def enters(self, table: Table) -> User:
        """The account that enters the result. Raises `NotAuthenticated` or `PermissionDenied`."""
        account = self.known_account(table.stage_round.stage.event.club)
        if not may_enter_result(self.viewer(), table):
            raise PermissionDenied("Scorers and organisers of the club, and who sits at the table, may do this.")
        return account

    def entered(self, table: Table, sent: SentBody, enter: Callable[[], Any]) -> Response:
        """The table with its new result. Raises problems 422 with the code of what is wrong with it."""

        def work() -> dict[str, Any]:
            try:
                enter()
            except NoResult as refused:
                raise _no_result(refused.illegal) from refused
            return table_played(table)

        return self.done(sent, work)


def _no_result(illegal: Illegal) -> Problem:
    """A 422 with the code of a fault, and its place in the record."""
    fault: dict[str, Any] = illegal.as_json()
    place = {name: value for name, value in fault.items() if name not in ("code", "message")}
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, illegal.code, illegal.message, errors=[fault], **place)


class TableGames(ResultView):
    """The games of a table: where their records are entered."""

    parser_classes = (BodyParser, NotationParser)

    @record_documented("enter_table_game", "Enter a table's game", TablePlayedShape, example=PLAYED)
    def post(self, request: Request, table: str) -> Response:
        """Seal the record of a game that was played at a table, as a scorer, an organiser, or one who sits there.

        The same record again changes nothing.
        """
        found = self.table(table)
        account = self.enters(found)
        sent = self.sent()
        line = one_record(sent)
        return self.entered(found, sent, lambda: table_game_enter(table=found, line=line, actor=actor(account)))


def one_record(sent: SentBody) -> bytes:
    """The one record that a body holds, as JSON. Raises problems 400 and 422."""
    if not sent.many:
        return sent.content
    lines = list(islice(record_lines(BytesIO(sent.content), settings.IMPORT_LIMITS), 2))
    if len(lines) != 1:
        raise bad_value([value_fault("", "Send one game.")])
    content = lines[0].content
    if isinstance(content, Illegal):
        raise _no_result(content)
    return content


class FinishBody(Body):
    """How somebody finished the game."""

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
    """How a game of a table ended, where nothing else of it was written down."""

    @change_documented(
        "enter_table_outcome", "Enter who finished where", OutcomeBody, TablePlayedShape,
        example={"finishes": [{"entry": "m6tz2kq9xr", "rank": 1}, {"entry": "b3hw7rk5zt", "rank": 2}], "number": 1},
        answered=PLAYED,
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        """Seal a game of which only the end is known, as a scorer, an organiser, or one who sits at the table."""
        found = self.table(table)
        account = self.enters(found)
        sent = self.sent()
        said = OutcomeBody.of(sent.content)
        finishes = said["finishes"]
        if "points" not in finishes[0] and points_count(found):
            raise bad_value([value_fault("/finishes", "The points count here: tell those of everybody.", "required")])
        ranks = {finish["entry"]: finish["rank"] for finish in finishes}
        points = {finish["entry"]: finish["points"] for finish in finishes if "points" in finish} or None

        def enter() -> None:
            table_outcome_enter(table=found, ranks=ranks, points=points, number=said["number"], actor=actor(account))

        return self.entered(found, sent, enter)


class WalkoverBody(Body):
    """Whether a table is given without play. Everybody can read the reason."""

    stands = serializers.BooleanField(default=True, help_text="False: it is played after all.")
    reason = serializers.CharField(max_length=500)


class TableWalkover(TableView, EventWriteView):
    """Whether a table at which too few are left is given without play."""

    @change_documented(
        "give_table", "Give a table without play", WalkoverBody, TableShape,
        example={"stands": True, "reason": "The other one had to leave."},
        answered=EXAMPLE | {"games": [], "walkover": {"to": [MEMBER], "reason": "The other one had to leave."}},
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        """Give a table without play to those who are left there, as an organiser, or undo it.

        They have a bye for the round; in a knock-out they go on. Withdraw first who has left.
        """
        found = self.table(table)
        account = self.organiser(found.stage_round.stage.event.club)
        sent = self.sent()
        said = WalkoverBody.of(sent.content)

        def decide() -> dict[str, Any]:
            do = walkover_give if said["stands"] else walkover_undo
            do(table=found, actor=actor(account, said["reason"]))
            return table_now(found)

        return self.done(sent, decide)
