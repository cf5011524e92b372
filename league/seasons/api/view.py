"""Views of rankings, players and games: who looks, and what hangs on a ranking's version."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from rest_framework.permissions import AllowAny

from games.models import Game
from league.clubs.models import ApiKey, Player
from league.clubs.queries.access import Viewer
from league.frame.api.body import Serializer
from league.frame.api.parameters import Paged, Parameters, SeenBy
from league.frame.api.view import ApiView, ListView
from league.rankings.models import Ranking
from league.seasons.models import AllTime, Season
from league.seasons.queries.access import board_for, game_for, player_for, season_for
from league.seasons.queries.board import Board


class SeenView(ApiView):
    """A view that anybody may ask: its answer depends on who asks, since it gets all that it shows by `…_for`."""

    permission_classes = [AllowAny]
    parameters: ClassVar[type[Parameters]] = SeenBy

    def viewer(self, club: str | None = None) -> Viewer:
        """The one who asks: an API key stands for its account in its own club, and for nobody elsewhere."""
        link = self.query.get("key")
        user = AnonymousUser() if self.is_foreign(club) else self.request.user
        return Viewer(user, frozenset([link] if link else []))

    def is_foreign(self, club: str | None) -> bool:
        """Tell whether the request's API key is for another club than this one."""
        key = self.request.auth
        return isinstance(key, ApiKey) and club is not None and key.club.slug != club

    def season(self, club: str, slug: str) -> Season:
        """The season, if the viewer may see it. Raises `Season.DoesNotExist`."""
        return season_for(self.viewer(club), club, slug)

    def board(self, club: str, slug: str = AllTime.SLUG) -> Board:
        """The ranking of a season that the viewer may see, or that of all time. Raises `ObjectDoesNotExist`."""
        return board_for(self.viewer(club), club, slug)

    def game(self, game: str) -> Game:
        """The game, if the viewer may see it. Raises `Game.DoesNotExist`."""
        revision = game_for(self.viewer(), game)
        club = revision.season_game.season.club.slug
        return game_for(self.viewer(club), game) if self.is_foreign(club) else revision

    def player(self, player: str) -> Player:
        """The player, if the viewer may see a season with it. Raises `Player.DoesNotExist`."""
        row = player_for(self.viewer(), player)
        return player_for(self.viewer(row.club.slug), player) if self.is_foreign(row.club.slug) else row


class SeenListView(SeenView, ListView):
    """A list that depends on who asks."""

    parameters: ClassVar[type[Parameters]] = Paged

    def paged_of_ranking(
        self,
        board: Board,
        rows: Callable[[Ranking], QuerySet[Any, Any] | Sequence[Any]],
        serializer: type[Serializer],
    ) -> HttpResponseBase:
        """One page of what hangs on a ranking, or 304 before its rows are read."""
        return self.unless_unchanged(board.versions, lambda: self.paged(rows(board.ranking), serializer))
