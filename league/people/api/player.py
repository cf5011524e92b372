"""Players."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.clubs.api.player import PlayerSerializer
from league.clubs.queries.access import club_for
from league.frame.api.body import Serializer
from league.frame.api.document import documented
from league.frame.api.fields import LinkField
from league.frame.api.links import ROOT, player_link, season_link
from league.frame.api.parameters import Paged, SeenBy
from league.people.queries.player import PlayerSeason, seasons_of
from league.seasons.api.view import SeenListView, SeenView
from league.seasons.queries.access import visible_seasons
from league.seasons.queries.listing import player_rows


class PlayerSeasonSerializer(Serializer):
    """A player's row in a season's table, and the rating (null where the season isn't rated)."""

    season = serializers.CharField(source="slug")
    name = serializers.CharField()
    url = serializers.SerializerMethodField()
    rank = serializers.IntegerField()
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    points = serializers.IntegerField()
    mu = serializers.FloatField(allow_null=True)
    sigma = serializers.FloatField(allow_null=True)

    def get_url(self, row: PlayerSeason) -> str:
        """The address of the season."""
        return season_link(self.context["club"], row.slug)


class PlayerFiguresSerializer(Serializer):
    """A player with the figures of all seasons that you may see, the latest first."""

    id = serializers.CharField(source="player.public_id")
    handle = serializers.CharField(source="player.handle")
    name = serializers.CharField(source="player.name")
    url = LinkField(player_link, "player.public_id")
    club = serializers.CharField(source="player.club.slug")
    seasons = PlayerSeasonSerializer(many=True)
    games = LinkField(
        f"{ROOT}/clubs/{{}}/games/?player={{}}".format, "player.club.slug", "player.public_id",
        help_text="The address of the player's games.",
    )  # fmt: skip


class Players(SeenListView):
    """The players of a club in one list."""

    @documented(
        "list_players", "A club's players", PlayerSerializer(many=True), problems=[404], parameters=[Paged],
    )  # fmt: skip
    def get(self, request: Request, club: str) -> Response:
        """The players who sat in a game of a season that you may see, by name."""
        viewer = self.viewer(club)
        return self.paged(player_rows(visible_seasons(viewer), club_for(viewer, club)), PlayerSerializer)


class OnePlayer(SeenView):
    """One player, by the public id."""

    @documented("get_player", "A player's figures", PlayerFiguresSerializer, problems=[404], parameters=[SeenBy])
    def get(self, request: Request, player: str) -> Response:
        """A player with the figures of every season."""
        row = self.player(player)
        club = row.club.slug
        seasons = seasons_of(row, visible_seasons(self.viewer(club)))
        return Response(PlayerFiguresSerializer({"player": row, "seasons": seasons}, context={"club": club}).data)
