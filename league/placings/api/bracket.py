"""The bracket of a knock-out: its tables, who sits there or comes from where, and where each stands in a picture."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.frame.api.body import Serializer
from league.frame.api.document import documented
from league.frame.api.links import table_link
from league.frame.api.parameters import SeenBy
from league.placings.domain.bracket import Card, bracket
from league.stages.models import Stage
from league.tables.api.member import MemberSerializer
from league.tables.api.view import StageView, stage_versions


class CoordinateField(serializers.FloatField):
    """A place or a length in the picture; a whole one is sent without a point."""

    def to_representation(self, value: float) -> float:  # type: ignore[override]  # the stubs know text alone
        """The number as the picture has it."""
        return value


class BracketPlaceSerializer(Serializer):
    """A place at a table. `member` is null until it is known; `source` says then from where somebody comes."""

    member = MemberSerializer(allow_null=True)
    source = serializers.CharField(  # type: ignore[assignment]
        help_text="`#3`: the third in the seeding; `2. W1-1`: the second of that table."
    )
    finish = serializers.IntegerField(allow_null=True, help_text="The place at this table, once it is over.")
    goes_on = serializers.BooleanField(source="on")
    y = CoordinateField()


class BracketTableSerializer(Serializer):
    """A table of a bracket, with its place in a picture of the width and height that the bracket tells."""

    label = serializers.CharField()  # type: ignore[assignment]
    side = serializers.CharField()
    state = serializers.CharField()
    round = serializers.SerializerMethodField(help_text="From 1.")
    table = serializers.SerializerMethodField(help_text="The address of the table, once it is drawn.")
    x = CoordinateField()
    y = CoordinateField()
    height = CoordinateField()
    places = BracketPlaceSerializer(source="lines", many=True)

    def get_round(self, card: Card) -> int:
        """The round, counted from 1."""
        return card.round_number + 1

    def get_table(self, card: Card) -> str | None:
        """The address of the table, None until it is drawn."""
        return table_link(card.url_id) if card.url_id else None


class BracketSerializer(Serializer):
    """A bracket. `ways` are paths of an SVG, from a table to the next one."""

    width = CoordinateField()
    height = CoordinateField()
    tables = BracketTableSerializer(source="cards", many=True)
    ways = serializers.ListField(child=serializers.CharField())


class StageBracket(StageView):
    """The bracket of a stage."""

    @documented("get_stage_bracket", "A knock-out's bracket", BracketSerializer, problems=[404], parameters=[SeenBy])
    def get(self, request: Request, club: str, event: str, stage: int) -> HttpResponseBase:
        """The bracket of a knock-out that has started; 404 for every other stage."""
        row = self.stage(club, event, stage)

        def answer() -> HttpResponseBase:
            picture = bracket(self.facts(row)) if row.knock_out else None
            if picture is None:
                raise Stage.DoesNotExist
            return Response(BracketSerializer(picture).data)

        return self.unless_unchanged(stage_versions(row), answer)
