"""Ratings of rankings."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from engine.rating.rating import Rating, is_provisional
from league.clubs.api.player import PlayerSerializer
from league.clubs.api.row import RowSerializer
from league.frame.api.operation import reads
from league.seasons.api.view import BoardView
from league.seasons.queries.board import Board
from league.seasons.queries.listing import Rows, rating_rows


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


class Ratings(BoardView):
    """The ratings of rankings."""

    @reads("A season's ratings", RatingSerializer(many=True))
    def list_ratings(self, board: Board) -> Rows:
        """The ratings from the strongest player to the weakest; none if the ranking isn't rated."""
        return rating_rows(board.ranking)

    @reads("A club's ratings of all time", RatingSerializer(many=True))
    def list_all_time_ratings(self, board: Board) -> Rows:
        """The ratings from the strongest player to the weakest; none if the ranking isn't rated."""
        return rating_rows(board.ranking)
