"""The bracket of a knock-out: its tables, who sits there or comes from where, and where each stands in a picture."""

from __future__ import annotations

from typing import Any, Final

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.entries.api.member import MEMBER, MemberShape
from league.frame.api.document import documented
from league.frame.api.links import table_link
from league.frame.api.parameters import SeenBy
from league.placings.domain.bracket import Bracket, Card, bracket
from league.stages.models import Stage
from league.tables.api.member import member_json
from league.tables.api.view import StageView, stage_versions


class BracketPlaceShape(serializers.Serializer[None]):
    """A place at a table. `member` is null until it is known; `source` says then from where somebody comes."""

    member = MemberShape(allow_null=True)
    source = serializers.CharField(  # type: ignore[assignment]
        help_text="`#3`: the third in the seeding; `2. W1-1`: the second of that table."
    )
    finish = serializers.IntegerField(allow_null=True, help_text="The place at this table, once it is over.")
    goes_on = serializers.BooleanField()
    y = serializers.FloatField()


class BracketTableShape(serializers.Serializer[None]):
    """A table of a bracket, with its place in a picture of the width and height that the bracket tells."""

    label = serializers.CharField()  # type: ignore[assignment]
    side = serializers.CharField()
    state = serializers.CharField()
    round = serializers.IntegerField(help_text="From 1.")
    table = serializers.CharField(allow_null=True, help_text="The address of the table, once it is drawn.")
    x = serializers.FloatField()
    y = serializers.FloatField()
    height = serializers.FloatField()
    places = BracketPlaceShape(many=True)


class BracketShape(serializers.Serializer[None]):
    """A bracket. `ways` are paths of an SVG, from a table to the next one."""

    width = serializers.FloatField()
    height = serializers.FloatField()
    tables = BracketTableShape(many=True)
    ways = serializers.ListField(child=serializers.CharField())


def bracket_json(found: Bracket) -> dict[str, Any]:
    """A bracket as it is sent."""
    return {
        "width": found.width,
        "height": found.height,
        "tables": [_table_json(card) for card in found.cards],
        "ways": list(found.ways),
    }


def _table_json(card: Card) -> dict[str, Any]:
    return {
        "label": card.label,
        "side": card.side,
        "state": card.state,
        "round": card.round + 1,
        "table": table_link(card.url_id) if card.url_id else None,
        "x": card.x,
        "y": card.y,
        "height": card.height,
        "places": [
            {
                "member": member_json(line.member) if line.member else None,
                "source": line.source,
                "finish": line.finish,
                "goes_on": line.on,
                "y": line.y,
            }
            for line in card.lines
        ],
    }


EXAMPLE: Final = {
    "width": 191.0, "height": 94.0, "ways": [],
    "tables": [
        {
            "label": "W1-1", "side": "winners", "state": "open", "round": 1, "table": table_link("w7hq3zt5kd"),
            "x": 0.0, "y": 0.0, "height": 76.0,
            "places": [
                {"member": MEMBER, "source": "#1", "finish": None, "goes_on": False, "y": 41.7},
                {"member": None, "source": "#2", "finish": None, "goes_on": False, "y": 67.7},
            ],
        }
    ],
}  # fmt: skip


class StageBracket(StageView):
    """The bracket of a stage."""

    @documented(
        "get_stage_bracket", "A knock-out's bracket", BracketShape, problems=[404], parameters=[SeenBy], example=EXAMPLE
    )
    def get(self, request: Request, club: str, event: str, stage: int) -> HttpResponseBase:
        """The bracket of a knock-out that has started; 404 for every other stage."""
        found = self.stage(club, event, stage)

        def answer() -> HttpResponseBase:
            drawn = bracket(self.facts(found)) if found.knock_out else None
            if drawn is None:
                raise Stage.DoesNotExist
            return Response(bracket_json(drawn))

        return self.unless_unchanged(stage_versions(found), answer)
