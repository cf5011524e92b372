"""API of placings: rankings with a reason for every row, files to compute them again, and
brackets."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engine.scoring.stage.stage_file import write_stage
from league.core.frame.api.links import table_link
from league.core.frame.api.operation import reads
from league.core.frame.api.parameters import Paged, SeenBy
from league.core.frame.api.serializers import (
    LinkField,
    MessageSerializer,
    RowSerializer,
    Serializer,
)
from league.core.player.api import PlayerSerializer
from league.stages.bracket.domain.bracket import Bracket, Card, bracket
from league.stages.placing.domain.meetings import MeetingsOfGroup, meetings_of
from league.stages.placing.domain.ranking import ShownLabel, ShownRow, shown_groups, shown_labels
from league.stages.result.domain.result import group_results
from league.stages.stage.api.view import PLAYER, MemberSerializer, StageView
from league.stages.stage.domain.facts import StageFacts
from league.stages.stage.models import Group, Stage

FILE: Final = {
    "v": 1,
    "scoring": "placement",
    "size": 4,
    "tie_breaks": ["lots"],
    "seed": "5e",
    "players": [],
}


class OfGroup(SeenBy):
    """The parameters of an answer about a group of a stage."""

    group = serializers.IntegerField(
        default=1,
        min_value=1,
        max_value=64,
        help_text="The number of the group, from 1; a stage without groups has one.",
    )


class OfGroupPaged(OfGroup, Paged):
    """The parameters of a paged list about a group of a stage."""


class FigureSerializer(Serializer):
    """A row's value of a tie-break, as tables show it; `–` if there is nothing to show."""

    tie_break = serializers.CharField()
    figure = serializers.CharField()


class StageRowSerializer(Serializer):
    """A row of a stage's ranking. `why`: what its points are made of; `above`: why it stands behind
    the row above."""

    rank = serializers.IntegerField(help_text="Players still in a knock-out share the first.")
    still_in = serializers.BooleanField(
        help_text="In a knock-out that is still running: the place isn't known yet."
    )
    entry = serializers.CharField(source="member.entry_id")
    player = PlayerSerializer(source="member", columns=PLAYER)
    points = serializers.CharField(
        help_text="Exact: `12`, `9 1/3`. Penalties are taken off, so it can be `-2`."
    )
    penalty = serializers.CharField(help_text="The points that penalties take off.")
    guest = serializers.BooleanField(source="member.guest")
    withdrawn = serializers.BooleanField(source="member.withdrawn")
    provisional = serializers.BooleanField(
        help_text=(
            "True while the result of a game of the player is disputed, in this stage or in an "
            "earlier one it is based on."
        )
    )
    figures = serializers.SerializerMethodField()
    why = MessageSerializer(many=True)
    above = MessageSerializer(allow_null=True)

    @extend_schema_field(FigureSerializer(many=True))
    def get_figures(self, row: ShownRow) -> list[dict[str, str]]:
        """The values of the tie-breaks, in their order."""
        pairs = zip(self.context["view"].stage.tie_breaks, row.figures, strict=True)
        return [{"tie_break": name, "figure": figure} for name, figure in pairs]


class LabelRowSerializer(Serializer):
    """A row of the ranking of clubs and towns. `best`: the entries whose points add up; `why`
    explains the points in sentences, and `above` why the row stands behind the row above."""

    rank = serializers.IntegerField(source="row.rank")
    label = serializers.CharField(source="row.label")  # type: ignore[assignment]
    points = serializers.CharField(help_text="Exact: `12`, `9 1/3`.")
    provisional = serializers.BooleanField(
        help_text="True while the row of a player whose points add up is provisional."
    )
    best = serializers.SerializerMethodField()
    why = MessageSerializer(many=True)
    above = MessageSerializer(allow_null=True)

    def get_best(self, label: ShownLabel) -> list[str]:
        """The ids of the entries whose points add up, the best first."""
        return [row.participant.player_id for row in label.row.best]


class BracketPlaceSerializer(RowSerializer):
    """A place at a table. `member` is null until it is known; until then `source` says where they
    will come from."""

    member = MemberSerializer(allow_null=True)
    source = serializers.CharField(  # type: ignore[assignment]
        help_text="`#3`: the third in the seeding; `2. W1-1`: the second of that table."
    )
    finish = serializers.IntegerField(
        allow_null=True, help_text="The place at this table, once it is over."
    )
    origin = serializers.CharField(help_text="The source in words: “Winner of table 1”.")
    goes_on = serializers.BooleanField(source="on")
    won = serializers.BooleanField(help_text="Whether they have won the knock-out here.")
    y = serializers.FloatField()


class BracketTableSerializer(RowSerializer):
    """A table of a bracket, with its position in a picture of the bracket's width and height."""

    label = serializers.CharField()  # type: ignore[assignment]
    name = serializers.CharField(help_text="Its usual name: `Table 3`, `final`.")
    side = serializers.CharField()
    state = serializers.CharField()
    round_ = serializers.SerializerMethodField()
    table = LinkField(
        table_link,
        "url_id",
        allow_null=True,
        help_text="The address of the table, once it is drawn.",
    )
    provisional = serializers.BooleanField(
        help_text=(
            "True while a result is disputed there, at a table before it, or in an earlier stage "
            "of one of its players."
        )
    )
    x = serializers.FloatField()
    y = serializers.FloatField()
    height = serializers.FloatField()
    places = BracketPlaceSerializer(source="lines", many=True)

    def get_round(self, card: Card) -> int:
        """The number of the round, from 1 as on the pages; cards count from 0."""
        return card.round_number + 1


class BracketSerializer(RowSerializer):
    """A bracket. `ways` are SVG paths of the lines from a table to the next one."""

    width = serializers.FloatField()
    height = serializers.FloatField()
    tables = BracketTableSerializer(source="cards", many=True)
    ways = serializers.ListField(child=serializers.CharField(), source="paths")


class MetAgainSerializer(Serializer):
    """A player who was met more than once, and how often."""

    member = MemberSerializer()
    times = serializers.IntegerField()


class MeetingsRowSerializer(Serializer):
    """The meetings of a player: the number of others met, and those met again."""

    member = MemberSerializer()
    others = serializers.IntegerField()
    again = MetAgainSerializer(many=True)


class MeetingsSerializer(Serializer):
    """The meetings in a group."""

    rows = MeetingsRowSerializer(many=True)
    pairs = serializers.IntegerField(help_text="How many pairs have met.")
    again = serializers.IntegerField(help_text="How many meetings were repeats.")
    least = serializers.IntegerField(
        help_text="The fewest repeats that a draw of the same tables could have."
    )


class Placings(StageView):
    """Rankings of stages, group by group, meetings, and brackets."""

    def facts_of_group(self) -> StageFacts:
        """Return the facts of the stage with the requested group alone. Raise
        `Group.DoesNotExist`, also before the start."""
        facts = self.facts()
        groups = tuple(group for group in facts.groups if group.number == self.query["group"])
        if not groups:
            raise Group.DoesNotExist
        return replace(facts, groups=groups)

    @reads("A stage's ranking", StageRowSerializer(many=True), parameters=OfGroupPaged)
    def list_stage_ranking(self, stage: Stage) -> tuple[ShownRow, ...]:
        """List the ranking of a group, best first, with a reason for every row, from the results of
        published rounds."""
        (ranking,) = shown_groups(self.facts_of_group())
        return ranking.rows

    @reads("A stage's ranking of clubs and towns", LabelRowSerializer(many=True))
    def list_label_ranking(self, stage: Stage) -> list[ShownLabel]:
        """List the clubs and towns by the points of their best players, best first; empty if the
        stage doesn't rank them."""
        if not stage.label_best:
            return []
        facts = self.facts()
        return shown_labels(facts, shown_groups(facts))

    @reads("Who met whom in a stage", MeetingsSerializer, parameters=OfGroup)
    def get_stage_meetings(self, stage: Stage) -> MeetingsOfGroup:
        """Return how often the players of a group met one another, and the lowest possible number
        of repeat meetings."""
        return meetings_of(self.facts_of_group())[0]

    @reads("A stage's file", OpenApiTypes.OBJECT, parameters=OfGroup, limit="export", example=FILE)
    def get_stage_file(self, stage: Stage) -> HttpResponse:
        """Return the file of a group's results, from which `python -m engine stage` computes the
        ranking with all reasons."""
        facts = self.facts_of_group()
        return HttpResponse(
            write_stage(group_results(facts, facts.groups[0].pk)), content_type="application/json"
        )

    @reads("A knock-out's bracket", BracketSerializer)
    def get_stage_bracket(self, stage: Stage) -> Bracket:
        """Return the bracket of a knock-out that has started; 404 for any other stage."""
        picture = bracket(self.facts()) if stage.knock_out else None
        if picture is None:
            raise Stage.DoesNotExist
        return picture
