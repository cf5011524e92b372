"""API of tables: their players, the reasons of the draw, results, and where to enter these."""

from __future__ import annotations

from io import BytesIO
from itertools import islice
from typing import Any, Final

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.clock import CLOCK
from engine.illegal import Illegal, Refused
from engine.notation.files import record_lines
from engine.record.kinds import SEATS
from games.models.public_id import LENGTH
from league.core.account.models import User
from league.core.frame.api.links import draw_link, game_link, round_link, table_link
from league.core.frame.api.operation import change_documented, reads
from league.core.frame.api.problems import bad_value, value_fault
from league.core.frame.api.serializers import Body, LinkField, Serializer, TimeField, list_of
from league.core.log.services import Actor
from league.core.player.api import PlayerSerializer
from league.core.viewer.queries.access import Viewer
from league.events.event.api import EventWriteView
from league.records.file.api import NOTATION
from league.records.game.api import RECORD
from league.stages.result.domain.end import BrokenOff
from league.stages.result.services.result import table_game_enter, table_outcome_enter
from league.stages.stage.api.view import AT_TABLE, PLAYER, MemberSerializer, TableView
from league.stages.table.models import Table
from league.stages.table.queries.access import may_enter_result
from league.stages.table.queries.table import TableOfStage, drawn_table, played_table
from league.stages.table.services.walkover import walkover_give, walkover_undo
from league.standings.ranking.api.view import (
    BodyParser,
    NotationParser,
    SentBody,
    WriteView,
    changes,
)

OUTCOME: Final = {
    "finishes": [{"entry": "m6tz2kq9xr", "rank": 1}, {"entry": "b3hw7rk5zt", "rank": 2}],
    "number": 1,
}
WALKOVER: Final = {"stands": True, "reason": "The other one had to leave."}


class FinishSerializer(Serializer):
    """A player's finish in a game; `points` are null if they are unknown."""

    entry = serializers.CharField(source="member.entry_id")
    player = PlayerSerializer(source="member", columns=PLAYER)
    rank = serializers.IntegerField()
    points = serializers.IntegerField(allow_null=True)
    penalty = serializers.IntegerField(help_text="The stage points an arbiter takes off.")


class TableGameSerializer(Serializer):
    """A game of a table. `finishes` is empty until it is over."""

    number = serializers.IntegerField(help_text="From 1.")
    game = LinkField(game_link, "game", help_text="Its address.")
    finishes = FinishSerializer(many=True)
    order_set = serializers.BooleanField(
        help_text="An arbiter has set the order, replacing the one that was played."
    )
    provisional = serializers.BooleanField(
        help_text="True while the result is disputed. It still counts."
    )


class VoidedGameSerializer(Serializer):
    """A voided game of a table. Its number isn't used again."""

    number = serializers.IntegerField()
    game = LinkField(game_link, "game", help_text="Its address.")


class WalkoverSerializer(Serializer):
    """The walkover of a table: the players it was awarded to without play (none if all had left),
    and why."""

    to = MemberSerializer(source="present", many=True)
    reason = serializers.CharField(help_text="Empty if it was removed because it named somebody.")


class TablePlayedSerializer(Serializer):
    """A table and its results. `seats` are in order: the first one opens."""

    id_ = serializers.CharField(source="table.public_id")
    number = serializers.IntegerField(source="table.number")
    label = serializers.CharField(  # type: ignore[assignment]
        source="table.label", help_text="Its name in a bracket; otherwise empty."
    )
    name = serializers.CharField(source="table.name", help_text="Its usual name: `Table 3`.")
    where = serializers.CharField(
        source="table.where",
        help_text="Its position in words; empty if its number is enough.",
    )
    place = serializers.CharField(
        source="table.place", help_text="The number of its place in the hall, and its room."
    )
    starts_at = TimeField(source="table.starts_at", allow_null=True)
    round_ = serializers.IntegerField(source="table.round_number")
    round_url = LinkField(
        round_link,
        "stage.event.club.slug",
        "stage.event.slug",
        "stage.number",
        "table.round_number",
    )
    group = serializers.IntegerField()
    finished = serializers.BooleanField(source="table.finished")
    seats = MemberSerializer(source="seated.members", many=True)
    games = TableGameSerializer(source="seated.games", many=True)
    voided = VoidedGameSerializer(
        source="table.voided", many=True, help_text="Games that count for nothing."
    )
    walkover = WalkoverSerializer(source="seated.walkover", allow_null=True)
    uncounted = serializers.ListField(
        child=serializers.CharField(),
        help_text=(
            "A sentence for each ranking in which a game of the table doesn't count, because "
            "points count there and only its ranks are known. Correct the game with its points, "
            "or change the stage's `scoring` to `placement`."
        ),
    )
    url = LinkField(table_link, "table.public_id")


class RetractionSerializer(Serializer):
    """When something public was taken back, why, and by which role."""

    at = TimeField()
    reason = serializers.CharField(help_text="Empty if none was given.")
    role = serializers.CharField(
        help_text="organiser, arbiter, scorer, player, or operator; empty if the log doesn't say."
    )


class TableSerializer(TablePlayedSerializer):
    """A table, its results, and `why` it was drawn this way: a sentence for each criterion of the
    draw."""

    taken_back = RetractionSerializer(
        allow_null=True, source="retraction", help_text="Null unless the table was taken back."
    )

    why = serializers.ListField(source="seated.why", child=serializers.CharField())
    draw = LinkField(
        draw_link, "draw", allow_null=True, help_text="The address of the draw; null at a ladder."
    )


class TableAloneSerializer(TableSerializer):
    """A single table. `why_not` has a sentence for each criterion that spoke against exchanging one
    of its players; empty if the draw was changed by hand."""

    why_not = serializers.ListField(source="seated.why_not", child=serializers.CharField())


class FinishBody(Body):
    """A player's finish in the game."""

    entry = serializers.CharField(max_length=LENGTH, help_text="The id of the entry.")
    rank = serializers.IntegerField(
        min_value=1,
        max_value=SEATS[-1],
        help_text="1 is the best; equal ranks are shared: 1, 1, 3.",
    )
    points = serializers.IntegerField(
        required=False,
        min_value=-9999,
        max_value=9999,
        help_text="Give points for everybody or for nobody.",
    )
    dice = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=20,
        help_text="Dice left when time was up; none if left out.",
    )
    left = serializers.BooleanField(default=False, help_text="Whether they left during the game.")


class OutcomeBody(Body):
    """A game of which only the end is known: everybody who played."""

    finishes = list_of(FinishBody, least=SEATS[0], most=SEATS[-1])
    number = serializers.IntegerField(
        default=0,
        min_value=0,
        max_value=99,
        help_text=(
            "The number of the game at the table, from 1; 0 is the next one. Sending the same "
            "result twice gives one game, also without a number once the table has played its "
            "games."
        ),
    )
    ended = serializers.ChoiceField(
        [CLOCK],
        required=False,
        help_text="`clock`: time was up, and the players still in are ranked by dice.",
    )
    played_at = TimeField(
        required=False, help_text="When it was played; by default, when its round was."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a player who finished twice, and points for some players only."""
        finishes = attrs["finishes"]
        if len({finish["entry"] for finish in finishes}) < len(finishes):
            raise serializers.ValidationError({"finishes": "Name everybody once."})
        if len({"points" in finish for finish in finishes}) > 1:
            raise serializers.ValidationError(
                {"finishes": "Give points for everybody or for nobody."}
            )
        if any("dice" in finish for finish in finishes) and "ended" not in attrs:
            raise serializers.ValidationError({"ended": "Only give dice if time was up."})
        return attrs


def broken_off_of(body: dict[str, Any]) -> BrokenOff:
    """Return how the game of an `OutcomeBody` was broken off. Players who left are in the order of
    leaving, the worst rank first."""
    finishes = body["finishes"]
    leavers = sorted(
        (finish for finish in finishes if finish["left"]), key=lambda finish: -finish["rank"]
    )
    dice = {finish["entry"]: finish["dice"] for finish in finishes if "dice" in finish}
    return BrokenOff(
        dice=dice or None,
        forfeit=tuple(finish["entry"] for finish in leavers),
        by_clock="ended" in body,
    )


class WalkoverBody(Body):
    """Whether the table is awarded without play. Everybody can read the reason."""

    stands = serializers.BooleanField(default=True, help_text="False: it is played after all.")
    reason = serializers.CharField(max_length=500)


class EventTables(TableView, EventWriteView):
    """The tables of published rounds."""

    @reads("A table", TableAloneSerializer)
    def get_table(self, table: Table) -> TableOfStage:
        """Return one table of a published round: its seats, its games, and why it was drawn this
        way."""
        return drawn_table(table)

    @changes("Award a table without play", WalkoverBody, TableAloneSerializer, example=WALKOVER)
    def give_table(self, table: Table, body: dict[str, Any], actor: Actor) -> TableOfStage:
        """Award a table without play to the players left there, as an organiser, or undo it.

        They have a bye for the round; in a knock-out they go on. First withdraw the players who
        have left.
        """
        service = walkover_give if body["stands"] else walkover_undo
        service(table=table, actor=actor)
        return drawn_table(table)


game_documented = change_documented(
    "Enter a table's game",
    {"application/json": OpenApiTypes.OBJECT, NotationParser.media_type: str},
    {200: TablePlayedSerializer},
    examples=[
        OpenApiExample("A record", RECORD, request_only=True, media_type="application/json"),
        OpenApiExample(
            "A game as text", NOTATION, request_only=True, media_type=NotationParser.media_type
        ),
    ],
)


class TableOutcomes(TableView, WriteView):
    """The results of tables: scorers, organisers and players who sit there enter them."""

    refusal = AT_TABLE

    def is_allowed(self, account: User) -> bool:
        """Return True if the account may enter the result of the table."""
        return may_enter_result(Viewer(account), self.table)

    @changes("Enter who finished where", OutcomeBody, TablePlayedSerializer, example=OUTCOME)
    def enter_table_outcome(self, table: Table, body: dict[str, Any], actor: Actor) -> TableOfStage:
        """Seal a game of which only the end is known, as a scorer, an organiser, or a player at the
        table.

        Rankings and stages that need points leave out a game that only has places; the answer then
        says so in `uncounted`.
        """
        finishes = body["finishes"]
        ranks = {finish["entry"]: finish["rank"] for finish in finishes}
        points = {finish["entry"]: finish["points"] for finish in finishes if "points" in finish}
        table_outcome_enter(
            table=table,
            ranks=ranks,
            points=points or None,
            number=body["number"],
            broken_off=broken_off_of(body),
            played_at=body.get("played_at"),
            actor=actor,
        )
        return played_table(table)


class TableGames(TableOutcomes):
    """The games of tables, entered as records."""

    parser_classes = (BodyParser, NotationParser)

    @game_documented
    def enter_table_game(self, request: Request, table: str) -> Response:
        """Seal the record of a game that was played at a table, as a scorer, an organiser, or a
        player who sits there.

        The same record again changes nothing.
        """
        actor = Actor(self.writer().pk)
        sent = self.sent()
        line = one_record(sent)

        def enter() -> Any:
            table_game_enter(table=self.table, line=line, actor=actor)
            return self.represent(TablePlayedSerializer, played_table(self.table))

        return self.done(sent, enter)


def one_record(request_body: SentBody) -> bytes:
    """Return the one record of a body, as JSON. Raise problems 400 and 422."""
    if not request_body.many:
        return request_body.content
    lines = list(islice(record_lines(BytesIO(request_body.content), settings.IMPORT_LIMITS), 2))
    if len(lines) != 1:
        raise bad_value([value_fault("", "Send one game.")])
    content = lines[0].content
    if isinstance(content, Illegal):
        raise Refused(content)
    return content
