"""Players."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.clubs.api.player import NAMED, PlayerNamed, named
from league.clubs.queries.access import club_for
from league.frame.api.document import documented
from league.frame.api.links import club_link, season_link
from league.frame.api.parameters import Paged, SeenBy
from league.people.queries.player import PlayerSeason, seasons_of
from league.seasons.api.view import SeenListView, SeenView
from league.seasons.queries.access import visible_seasons
from league.seasons.queries.listing import player_rows


class PlayerInSeason(serializers.Serializer[None]):
    """A player's row in a season's table, and the rating (null where the season isn't rated)."""

    season = serializers.CharField()
    name = serializers.CharField()
    url = serializers.CharField()
    rank = serializers.IntegerField()
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    points = serializers.IntegerField()
    mu = serializers.FloatField(allow_null=True)
    sigma = serializers.FloatField(allow_null=True)


class PlayerShape(PlayerNamed):
    """A player with the figures of all seasons that you may see, the latest first."""

    club = serializers.CharField()
    seasons = PlayerInSeason(many=True)
    games = serializers.CharField(help_text="The address of the player's games.")


def _season_json(club: str, row: PlayerSeason) -> dict[str, Any]:
    return {
        "season": row.slug,
        "name": row.name,
        "url": season_link(club, row.slug),
        "rank": row.rank,
        "games": row.games,
        "wins": row.wins,
        "points": row.points,
        "mu": row.mu,
        "sigma": row.sigma,
    }


def _player_json(club: str, player: dict[str, Any], seasons: list[PlayerSeason]) -> dict[str, Any]:
    listed = [_season_json(club, row) for row in seasons]
    return player | {"club": club, "seasons": listed, "games": f"{club_link(club)}games/?player={player['id']}"}


IN_SEASON = PlayerSeason(3, "herbstliga-2026", "Herbstliga 2026", 1, 20, 9, 325, 27.5, 5.25)


class Players(SeenListView):
    """The players of a club in one list."""

    @documented(
        "list_players", "A club's players", PlayerNamed(many=True), problems=[404], parameters=[Paged], example=NAMED
    )
    def get(self, request: Request, club: str) -> Response:
        """The players who sat in a game of a season that you may see, by name."""
        viewer = self.viewer(club)
        rows = player_rows(visible_seasons(viewer), club_for(viewer, club))
        return self.paged(rows, lambda row: named(row["public_id"], row["handle"], row["name"]))


class OnePlayer(SeenView):
    """One player, by the public id."""

    @documented(
        "get_player", "A player's figures", PlayerShape, problems=[404], parameters=[SeenBy],
        example=_player_json("zum-stern", NAMED, [IN_SEASON]),
    )  # fmt: skip
    def get(self, request: Request, player: str) -> Response:
        """A player with the figures of every season."""
        found = self.player(player)
        club = found.club.slug
        seasons = seasons_of(found, visible_seasons(self.viewer(club)))
        return Response(_player_json(club, named(found.public_id, found.handle, found.name), seasons))
