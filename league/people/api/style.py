"""Styles: the decisions of players, in rankings."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request

from league.clubs.api.player import PlayerSerializer
from league.frame.api.body import Serializer
from league.frame.api.document import documented
from league.frame.api.parameters import Paged
from league.rankings.models import Style
from league.seasons.api.view import SeenListView
from league.seasons.models import AllTime
from league.seasons.queries.listing import style_rows


class ChallengesSerializer(Serializer):
    """Challenges of about the same chance to be right: their number, its mean, and the share that was."""

    challenges = serializers.IntegerField()
    stated = serializers.FloatField(allow_null=True)
    came = serializers.FloatField(allow_null=True)


class StyleSerializer(Serializer):
    """The decisions of a player of Bluff, and the luck of the rolls. Shares and chances are from 0 to 1."""

    player = PlayerSerializer()
    bids = serializers.IntegerField(help_text="Bids of which the record tells the player's own dice.")
    bluff_rate = serializers.FloatField(allow_null=True, help_text="The share of bids that were bluffs.")
    bluff_success = serializers.FloatField(allow_null=True, help_text="The share of bluffs that weren't caught.")
    unsupported = serializers.IntegerField(help_text="Bids that none of the player's own dice matched.")
    decisions = serializers.IntegerField(help_text="Decisions that have a cost.")
    cost = serializers.FloatField(help_text="Their cost in dice, added up.")
    rolls = serializers.IntegerField(help_text="Rolls that count for luck.")
    luck = serializers.FloatField(help_text="What they were worth against the mean of all rolls, in dice.")
    luck_half = serializers.FloatField(help_text="What fair dice stay within, above and below 0, with 95 %.")
    calibration = ChallengesSerializer(
        many=True, help_text="Ten bins by the stated chance to be right: 0 to 10 %, … 90 to 100 %."
    )

    def to_representation(self, instance: Style) -> dict[str, Any]:
        """The figures as the engine writes them."""
        return {"player": PlayerSerializer(instance.player).data, **instance.sums.as_json()}


class Styles(SeenListView):
    """The styles of a ranking's players."""

    @documented(
        "list_styles", "How a season's players play", StyleSerializer(many=True), problems=[404], parameters=[Paged]
    )
    def get(self, request: Request, club: str, season: str = AllTime.SLUG) -> HttpResponseBase:
        """Everybody of whose decisions in Bluff a record tells the dice. A job adds games up after the table has them.

        The manual's page on the analysis says what the figures mean, and what they can't tell.
        """
        board = self.board(club, season)
        return self.unless_unchanged(
            board.style_versions, lambda: self.paged(style_rows(board.ranking), StyleSerializer)
        )


@extend_schema_view(
    get=extend_schema(operation_id="list_all_time_styles", summary="How a club's players play, of all time")
)
class AllTimeStyles(Styles):
    """The styles in a club's ranking of all time."""
