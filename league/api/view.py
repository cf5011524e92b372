"""What all views of the API have in common: who looks, answers that need not be sent again, and pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any, ClassVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Model, QuerySet
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.decorators import method_decorator
from django.views.decorators.http import conditional_page
from rest_framework.generics import GenericAPIView
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.models import Game
from league.api.parameters import Paged, Parameters, SeenBy
from league.models import ApiToken, Player, Season
from league.queries.access import Viewer, game_for, player_for, season_for


class OneFormat(BaseContentNegotiation):
    """Every address has one format; what a client would rather have changes nothing (RFC 9110, 12.5.1)."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """The parser of the body's content type, or None."""
        kind = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == kind), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The one renderer."""
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


@method_decorator(conditional_page, name="dispatch")
class ApiView(APIView):
    """A view whose query is checked by `parameters` (`post_parameters`), and whose GET answers carry an ETag."""

    http_method_names = ["get", "head", "post"]
    content_negotiation_class = OneFormat
    parameters: ClassVar[type[Parameters]] = SeenBy
    post_parameters: ClassVar[type[Parameters]] = Parameters
    query: dict[str, Any]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Speak English to programs whatever language they prefer, and check the query before anything is done."""
        translation.activate("en")
        super().initial(request, *args, **kwargs)
        self.query = (self.post_parameters if request.method == "POST" else self.parameters).of(request)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        """Say that an answer depends on who asks, and has to be asked for again."""
        final = super().finalize_response(request, response, *args, **kwargs)
        final.setdefault("Cache-Control", "private, no-cache")
        patch_vary_headers(final, ["Authorization", "Cookie"])
        return final

    def viewer(self, club: str | None = None) -> Viewer:
        """Who asks: a token stands for its account in its own club, and for nobody elsewhere."""
        key = self.query.get("key")
        user = AnonymousUser() if self.is_foreign(club) else self.request.user
        return Viewer(user, frozenset([key] if key else []))

    def is_foreign(self, club: str | None) -> bool:
        """Whether the request's token is for another club than this one."""
        token = self.request.auth
        return isinstance(token, ApiToken) and club is not None and token.club.slug != club

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

    def unchanged(self, etag: str) -> HttpResponseBase | None:
        """The answer 304 if the client has that version already, found before its rows are read."""
        response = get_conditional_response(self.request._request, etag=etag)
        if response is not None:
            response["ETag"] = etag
        return response


class ListView(ApiView, GenericAPIView[Model]):
    """A list that comes in pages."""

    filter_backends = ()
    parameters = Paged

    def paged(self, rows: QuerySet[Any, Any] | Sequence[Any], shown: Callable[[Any], dict[str, Any]]) -> Response:
        """One page of rows, each made what is sent by `shown`. Raises `NotFound` for a page after the last."""
        page = self.paginate_queryset(rows) or []
        return self.get_paginated_response([shown(row) for row in page])

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
