"""Players."""

from __future__ import annotations

from typing import Any

from django.utils.functional import cached_property
from rest_framework import serializers

from league.clubs.api.player import PlayerSerializer
from league.clubs.models import Player
from league.frame.api.links import ROOT, player_link, season_link
from league.frame.api.operation import reads
from league.frame.api.serializers import LinkField, Serializer
from league.people.queries.player import PlayerSeason, seasons_of
from league.seasons.api.view import SeenView
from league.seasons.queries.access import player_for, visible_seasons
from league.seasons.queries.listing import Rows, player_rows


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

    id_ = serializers.CharField(source="player.public_id")
    handle = serializers.CharField(source="player.handle")
    name = serializers.CharField(source="player.name")
    url = LinkField(player_link, "player.public_id")
    club = serializers.CharField(source="player.club.slug")
    seasons = PlayerSeasonSerializer(many=True)
    games = LinkField(
        f"{ROOT}/clubs/{{}}/games/?player={{}}".format, "player.club.slug", "player.public_id",
        help_text="The address of the player's games.",
    )  # fmt: skip


class Players(SeenView):
    """The players of a club."""

    @reads("A club's players", PlayerSerializer(many=True))
    def list_players(self, _: None) -> Rows:
        """The players who sat in a game of a season that you may see, by name."""
        return player_rows(visible_seasons(self.viewer(self.club.slug)), self.club)


class PlayerFigures(SeenView):
    """Players with their figures."""

    @cached_property
    def player(self) -> Player:
        """The player of the address. Raises `Player.DoesNotExist` where the viewer may not see a season with it."""
        player = player_for(self.viewer(), self.kwargs["player"])
        club = player.club.slug
        return player_for(self.viewer(club), self.kwargs["player"]) if self.is_foreign(club) else player

    def get_serializer_context(self) -> dict[str, Any]:
        """The club, for the addresses of its seasons."""
        return {"club": self.player.club.slug}

    @reads("A player's figures", PlayerFiguresSerializer)
    def get_player(self, _: None) -> dict[str, Any]:
        """A player with the figures of every season."""
        seasons = seasons_of(self.player, visible_seasons(self.viewer(self.player.club.slug)))
        return {"player": self.player, "seasons": seasons}
