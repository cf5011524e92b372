"""Bases of views of clubs, seasons, rankings and games: who looks, and what the address names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from django.contrib.auth.models import AnonymousUser
from django.utils.functional import cached_property
from rest_framework.permissions import SAFE_METHODS, AllowAny

from games.models import Game
from league.clubs.models import ApiKey, Club
from league.clubs.queries.access import Viewer, club_for
from league.frame.api.view import ApiView
from league.seasons.models import AllTime, Season
from league.seasons.queries.access import board_for, game_for, season_for, season_for_organiser
from league.seasons.queries.board import Board


class SeenView(ApiView):
    """A view that anybody may ask: its answer depends on who asks, since it gets all that it shows by `…_for`."""

    permission_classes = [AllowAny]
    for_organisers: ClassVar[bool] = False
    """Organisers alone may read it; for everybody else there is nothing at the address."""

    def viewer(self, club: str | None = None) -> Viewer:
        """The one who asks: an API key stands for its account in its own club, and for nobody elsewhere."""
        link = self.query.get("key")
        user = AnonymousUser() if self.is_foreign(club) else self.request.user
        return Viewer(user, frozenset([link] if link else []))

    def is_foreign(self, club: str | None) -> bool:
        """Tell whether the request's API key is for another club than this one."""
        key = self.request.auth
        return isinstance(key, ApiKey) and club is not None and key.club.slug != club

    @property
    def is_hidden(self) -> bool:
        """Tell whether only organisers may see that there is something at the address: they may read it."""
        return self.for_organisers and self.request.method in SAFE_METHODS

    @cached_property
    def club(self) -> Club:
        """The club of the address. Raises `Club.DoesNotExist` where the viewer may not see it."""
        return club_for(self.viewer(self.kwargs["club"]), self.kwargs["club"])


class SeasonView(SeenView):
    """A view of a season, or of something that hangs on it."""

    @cached_property
    def season(self) -> Season:
        """The season of the address. Raises `Season.DoesNotExist` where the viewer may not see it."""
        club = self.kwargs["club"]
        return (season_for_organiser if self.is_hidden else season_for)(self.viewer(club), club, self.kwargs["season"])

    @cached_property
    def club(self) -> Club:
        """The season's club."""
        return self.season.club

    def get_object(self) -> Season:
        """The season."""
        return self.season


class BoardView(SeenView):
    """A view of a season's ranking, or without a season in the address of the club's ranking of all time."""

    @cached_property
    def board(self) -> Board:
        """The ranking with all that its answers depend on. Raises `ObjectDoesNotExist`."""
        club = self.kwargs["club"]
        return board_for(self.viewer(club), club, self.kwargs.get("season", AllTime.SLUG))

    @cached_property
    def club(self) -> Club:
        """The ranking's club."""
        return self.board.club

    def get_object(self) -> Any:
        """The ranking."""
        return self.board

    def versions(self) -> Sequence[object] | None:
        """The versions of the ranking and of the names in it."""
        return self.board.versions


class GameView(SeenView):
    """A view of one revision of a game."""

    def get_object(self) -> Game:
        """The game. Raises `Game.DoesNotExist` where the viewer may not see it."""
        revision = game_for(self.viewer(), self.kwargs["game"])
        club = revision.season_game.season.club.slug
        return game_for(self.viewer(club), self.kwargs["game"]) if self.is_foreign(club) else revision
