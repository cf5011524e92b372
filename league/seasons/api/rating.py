"""Ratings of rankings."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request

from engine.rating.rating import Rating, is_provisional
from league.clubs.api.player import PlayerSerializer
from league.clubs.api.row import RowSerializer
from league.frame.api.document import documented
from league.frame.api.parameters import Paged
from league.seasons.api.view import SeenListView
from league.seasons.models import AllTime
from league.seasons.queries.listing import rating_rows


class RatingSerializer(RowSerializer):
    """A player's rating in a ranking (Plackett–Luce): the skill is between `low` and `high` with 95 %."""

    player = PlayerSerializer(source="*", columns=("player__public_id", "player__handle", "player__name"))
    mu = serializers.FloatField(help_text="The mean.")
    sigma = serializers.FloatField(help_text="The standard deviation.")
    low = serializers.SerializerMethodField()
    high = serializers.SerializerMethodField()
    provisional = serializers.SerializerMethodField(help_text="Whether it rests on too few games yet to compare by.")
    games = serializers.IntegerField()
    recent = serializers.ListField(
        child=serializers.FloatField(), help_text="`mu` after each of the latest twelve games, oldest first."
    )

    def get_low(self, row: dict[str, Any]) -> float:
        """The lower end of the 95 % interval."""
        return Rating(row["mu"], row["sigma"]).interval.low

    def get_high(self, row: dict[str, Any]) -> float:
        """The upper end of the 95 % interval."""
        return Rating(row["mu"], row["sigma"]).interval.high

    def get_provisional(self, row: dict[str, Any]) -> bool:
        """Tell whether the deviation is still too wide."""
        return is_provisional(row["sigma"])


class Ratings(SeenListView):
    """The ratings of a ranking."""

    @documented(
        "list_ratings", "A season's ratings", RatingSerializer(many=True), problems=[404], parameters=[Paged],
    )  # fmt: skip
    def get(self, request: Request, club: str, season: str = AllTime.SLUG) -> HttpResponseBase:
        """The ratings from the strongest player to the weakest; none if the ranking isn't rated."""
        return self.paged_of_ranking(self.board(club, season), rating_rows, RatingSerializer)


@extend_schema_view(get=extend_schema(operation_id="list_all_time_ratings", summary="A club's ratings of all time"))
class AllTimeRatings(Ratings):
    """The ratings of a club's ranking of all time."""
