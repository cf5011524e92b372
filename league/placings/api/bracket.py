"""The bracket of a knock-out: its tables, who sits there or comes from where, and where each stands in a picture."""

from __future__ import annotations

from rest_framework import serializers

from league.frame.api.links import table_link
from league.frame.api.operation import reads
from league.frame.api.serializers import LinkField, Serializer
from league.placings.domain.bracket import Bracket, Card, bracket
from league.stages.models import Stage
from league.tables.api.table import MemberSerializer
from league.tables.api.view import StageView


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
    origin = serializers.CharField(help_text="The source in words: “Winner of table 1”.")
    goes_on = serializers.BooleanField(source="on")
    y = CoordinateField()


class BracketTableSerializer(Serializer):
    """A table of a bracket, with its place in a picture of the width and height that the bracket tells."""

    label = serializers.CharField()  # type: ignore[assignment]
    name = serializers.CharField(help_text="What everybody calls it: `Table 3`, `final`.")
    side = serializers.CharField()
    state = serializers.CharField()
    round_ = serializers.SerializerMethodField()
    table = LinkField(table_link, "url_id", allow_null=True, help_text="The address of the table, once it is drawn.")
    x = CoordinateField()
    y = CoordinateField()
    height = CoordinateField()
    places = BracketPlaceSerializer(source="lines", many=True)

    def get_round(self, card: Card) -> int:
        """From 1."""
        return card.round_number + 1


class BracketSerializer(Serializer):
    """A bracket. `ways` are paths of an SVG, from a table to the next one."""

    width = CoordinateField()
    height = CoordinateField()
    tables = BracketTableSerializer(source="cards", many=True)
    ways = serializers.ListField(child=serializers.CharField(), source="paths")


class Brackets(StageView):
    """The brackets of knock-outs."""

    @reads("A knock-out's bracket", BracketSerializer)
    def get_stage_bracket(self, stage: Stage) -> Bracket:
        """The bracket of a knock-out that has started; 404 for every other stage."""
        picture = bracket(self.facts()) if stage.knock_out else None
        if picture is None:
            raise Stage.DoesNotExist
        return picture
