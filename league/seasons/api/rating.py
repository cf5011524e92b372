"""Ratings of rankings."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request

from engine.rating.rating import Rating, is_provisional
from league.clubs.api.player import PlayerNamed, named
from league.frame.api.document import documented
from league.frame.api.parameters import Paged
from league.seasons.api.view import SeenListView
from league.seasons.models import AllTime
from league.seasons.queries.listing import rating_rows


class RatingShape(serializers.Serializer[None]):
    """A player's rating in a ranking (Plackett–Luce): the skill is between `low` and `high` with 95 %."""

    player = PlayerNamed()
    mu = serializers.FloatField(help_text="The mean.")
    sigma = serializers.FloatField(help_text="The standard deviation.")
    low = serializers.FloatField()
    high = serializers.FloatField()
    provisional = serializers.BooleanField(help_text="Whether it rests on too few games yet to compare by.")
    games = serializers.IntegerField()
    recent = serializers.ListField(
        child=serializers.FloatField(), help_text="`mu` after each of the latest twelve games, oldest first."
    )


def rating_json(row: dict[str, Any]) -> dict[str, Any]:
    """A row of `rating_rows` as it is sent."""
    _, low, high = Rating(row["mu"], row["sigma"]).interval
    return {
        "player": named(row["player__public_id"], row["player__handle"], row["player__name"]),
        "mu": row["mu"],
        "sigma": row["sigma"],
        "low": low,
        "high": high,
        "provisional": is_provisional(row["sigma"]),
        "games": row["games"],
        "recent": row["recent"],
    }


EXAMPLE = rating_json(
    {
        "player__public_id": "h7mzt3kd9q", "player__handle": "xenia", "player__name": "Xenia", "mu": 27.5,
        "sigma": 5.25, "games": 3, "recent": [26.1, 25.9, 27.5],
    }
)  # fmt: skip


class Ratings(SeenListView):
    """The ratings of a ranking."""

    @documented(
        "list_ratings",
        "A season's ratings",
        RatingShape(many=True),
        problems=[404],
        parameters=[Paged],
        example=EXAMPLE,
    )
    def get(self, request: Request, club: str, season: str = AllTime.SLUG) -> HttpResponseBase:
        """The ratings from the strongest player to the weakest; none if the ranking isn't rated."""
        return self.paged_of_ranking(self.board(club, season), rating_rows, rating_json)


@extend_schema_view(get=extend_schema(operation_id="list_all_time_ratings", summary="A club's ratings of all time"))
class AllTimeRatings(Ratings):
    """The ratings of a club's ranking of all time."""
