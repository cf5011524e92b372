"""How players play, in rankings."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request

from engine.analysis.profile import Style as Sums
from league.clubs.api.player import PlayerNamed, named
from league.clubs.models import Player
from league.frame.api.document import documented
from league.frame.api.parameters import Paged
from league.rankings.models import Style
from league.seasons.api.view import SeenListView
from league.seasons.models import AllTime
from league.seasons.queries.listing import style_rows


class ChallengesShape(serializers.Serializer[None]):
    """Challenges of about the same chance to be right: how many, its mean, and the share that was."""

    challenges = serializers.IntegerField()
    stated = serializers.FloatField(allow_null=True)
    came = serializers.FloatField(allow_null=True)


class StyleShape(serializers.Serializer[None]):
    """How a player of Bluff decided, and how lucky the rolls were. Shares and chances are from 0 to 1."""

    player = PlayerNamed()
    bids = serializers.IntegerField(help_text="Bids of which the record tells the player's own dice.")
    bluff_rate = serializers.FloatField(allow_null=True, help_text="The share of bids that were bluffs.")
    bluff_success = serializers.FloatField(allow_null=True, help_text="The share of bluffs that weren't caught.")
    unsupported = serializers.IntegerField(help_text="Bids that none of the player's own dice matched.")
    decisions = serializers.IntegerField(help_text="Decisions that have a cost.")
    cost = serializers.FloatField(help_text="Their cost in dice, added up.")
    rolls = serializers.IntegerField(help_text="Rolls that count for luck.")
    luck = serializers.FloatField(help_text="What they were worth against the mean of all rolls, in dice.")
    luck_half = serializers.FloatField(help_text="What fair dice stay within, above and below 0, with 95 %.")
    calibration = ChallengesShape(
        many=True, help_text="Ten bins by the stated chance to be right: 0 to 10 %, … 90 to 100 %."
    )


def style_json(row: Style) -> dict[str, Any]:
    """A row of `style_rows` as it is sent."""
    player: Player = row.player
    return {"player": named(player.public_id, player.handle, player.name), **row.sums.as_json()}


EXAMPLE = {
    "player": named("h7mzt3kd9q", "xenia", "Xenia"),
    **Sums(bids=201, bluffs=8, stood=2, lucky=6, decisions=238, cost=8_586_419, rolls=137, luck=412_000).as_json(),
}


class Styles(SeenListView):
    """How the players of a ranking play."""

    @documented(
        "list_styles",
        "How a season's players play",
        StyleShape(many=True),
        problems=[404],
        parameters=[Paged],
        example=EXAMPLE,
    )
    def get(self, request: Request, club: str, season: str = AllTime.SLUG) -> HttpResponseBase:
        """Everybody of whose decisions in Bluff a record tells the dice. A job adds games up after the table has them.

        The manual's page on the analysis says what the figures mean, and what they can't tell.
        """
        board = self.board(club, season)
        return self.unless_unchanged(board.style_versions, lambda: self.paged(style_rows(board.ranking), style_json))


@extend_schema_view(
    get=extend_schema(operation_id="list_all_time_styles", summary="How a club's players play, of all time")
)
class AllTimeStyles(Styles):
    """How the players of a club's ranking of all time play."""
