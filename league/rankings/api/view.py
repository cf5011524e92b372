"""What the views of seasons, players and games have in common: who looks, and what hangs on a season's version."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http.response import HttpResponseBase

from games.models import Game
from league.clubs.models import ApiKey, Player
from league.clubs.queries.access import Viewer
from league.frame.api.parameters import Paged, SeenBy
from league.frame.api.view import ApiView, ListView
from league.rankings.models import Season
from league.rankings.queries.access import game_for, player_for, season_for


class SeenView(ApiView):
    """A view whose answer depends on who asks."""

    parameters = SeenBy

    def viewer(self, club: str | None = None) -> Viewer:
        """Who asks: a token stands for its account in its own club, and for nobody elsewhere."""
        key = self.query.get("key")
        user = AnonymousUser() if self.is_foreign(club) else self.request.user
        return Viewer(user, frozenset([key] if key else []))

    def is_foreign(self, club: str | None) -> bool:
        """Whether the request's token is for another club than this one."""
        token = self.request.auth
        return isinstance(token, ApiKey) and club is not None and token.club.slug != club

    def season(self, club: str, slug: str) -> Season:
        """The season, if the viewer may see it. Raises `Season.DoesNotExist`."""
        return season_for(self.viewer(club), club, slug)

    def game(self, game_id: int) -> Game:
        """The game, if the viewer may see it. Raises `Game.DoesNotExist`."""
        game = game_for(self.viewer(), game_id)
        club = game.season_game.season.club.slug
        return game_for(self.viewer(club), game_id) if self.is_foreign(club) else game

    def player(self, player_id: int) -> Player:
        """The player, if the viewer may see a season with it. Raises `Player.DoesNotExist`."""
        player = player_for(self.viewer(), player_id)
        club = player.club.slug
        return player_for(self.viewer(club), player_id) if self.is_foreign(club) else player

    def etag(self, season: Season, *more: object) -> str:
        """The ETag of what hangs on a season: its version, the query, and who asks."""
        user = self.request.user.pk or "-"
        told = (season.pk, season.version, self.request.META.get("QUERY_STRING", ""), user, *more)
        return f'"{sha256(repr(told).encode()).hexdigest()[:32]}"'


class SeenListView(SeenView, ListView):
    """A list that depends on who asks."""

    parameters = Paged

    def paged_of_season(
        self,
        season: Season,
        rows: Callable[[Season], QuerySet[Any, Any] | Sequence[Any]],
        shown: Callable[[Any], dict[str, Any]],
    ) -> HttpResponseBase:
        """One page of what a season's version settles, or 304 before its rows are read."""
        etag = self.etag(season)
        if answer := self.unchanged(etag):
            return answer
        response = self.paged(rows(season), shown)
        response["ETag"] = etag
        return response
