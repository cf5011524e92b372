"""The styles of players."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from league.core.frame.api.operation import again, reads
from league.core.frame.api.serializers import Serializer
from league.core.player.api import PlayerSerializer
from league.standings.ranking.api.view import BoardView
from league.standings.ranking.queries.board import Board
from league.standings.season.queries.listing import style_rows
from league.standings.style.models import Style


class ChallengesSerializer(Serializer):
    """Challenges with about the same chance of being right: their number, the mean of that chance,
    and the share that was right."""

    challenges = serializers.IntegerField()
    stated = serializers.FloatField(allow_null=True)
    came = serializers.FloatField(allow_null=True)


class StyleSerializer(Serializer):
    """The decisions of a player of Bluff, and the luck of the rolls. Shares and chances are from 0
    to 1."""

    player = PlayerSerializer()
    bids = serializers.IntegerField(help_text="Bids where the record shows the player's own dice.")
    bluff_rate = serializers.FloatField(
        allow_null=True, help_text="The share of bids that were bluffs."
    )
    bluff_success = serializers.FloatField(
        allow_null=True, help_text="The share of bluffs that weren't caught."
    )
    unsupported = serializers.IntegerField(
        help_text="Bids that none of the player's own dice matched."
    )
    decisions = serializers.IntegerField(help_text="Decisions that have a cost.")
    cost = serializers.FloatField(help_text="Their cost in dice, added up.")
    rolls = serializers.IntegerField(help_text="Rolls that count for luck.")
    luck = serializers.FloatField(
        help_text="What they were worth against the mean of all rolls, in dice."
    )
    luck_half = serializers.FloatField(
        help_text="What fair dice stay within, above and below 0, with 95 %."
    )
    calibration = ChallengesSerializer(
        many=True,
        help_text="Ten bins by the estimated chance of being right: 0 to 10 %, … 90 to 100 %.",
    )

    def to_representation(self, instance: Style) -> dict[str, Any]:
        """Return the figures as the engine writes them."""
        return {"player": PlayerSerializer(instance.player).data, **instance.sums.as_json()}


class Styles(BoardView):
    """Views of the styles of a ranking's players."""

    def versions(self) -> tuple[object, ...]:
        """Return the version of the styles, which a job adds up after the table."""
        return self.board.style_versions

    @reads("The playing styles of a season's players", StyleSerializer(many=True))
    def list_styles(self, board: Board) -> QuerySet[Style]:
        """The styles of all players with recorded dice in games of Bluff. A job adds new games
        shortly after the table has them.

        The manual's page on the analysis explains the figures and their limits."""
        return style_rows(board.ranking)

    list_all_time_styles = again(list_styles, "The all-time playing styles of a club's players")
