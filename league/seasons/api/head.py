"""Heads of games: the digests that a game can't be changed under."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.frame.api.body import Serializer
from league.frame.api.document import documented
from league.frame.api.links import game_link
from league.frame.api.pagination import PlacePagination
from league.rankings.api.place import PagedByPlace
from league.rankings.models import Ranking
from league.rankings.queries.ranking import Head, head_page
from league.seasons.api.view import SeenListView
from league.seasons.models import AllTime


class HeadSerializer(Serializer):
    """A game and its head, which stands for all of it: the last link of its chain of digests, in hexadecimal."""

    id = serializers.CharField()
    record_id = serializers.CharField(help_text="The id in its record, unique in the club.")
    head = serializers.CharField()
    url = serializers.CharField()

    def to_representation(self, instance: Head) -> dict[str, Any]:
        """A game's head; a page may have thousands."""
        head, record, game = instance
        return {"id": game, "record_id": record, "head": bytes(head).hex(), "url": game_link(game)}


class Heads(SeenListView):
    """The heads of a ranking's games."""

    parameters = PagedByPlace
    pagination_class = PlacePagination

    @documented(
        "list_heads", "The heads of a season's games", HeadSerializer(many=True), problems=[404],
        parameters=[PagedByPlace],
    )  # fmt: skip
    def get(self, request: Request, club: str, season: str = AllTime.SLUG) -> HttpResponseBase:
        """The last digest of every game, in order of play: who keeps them finds any later change."""
        board = self.board(club, season)
        return self.unless_unchanged(board.versions, lambda: self._page(request, board.ranking))

    def _page(self, request: Request, ranking: Ranking) -> Response:
        place = {name: self.query[name] for name in ("before", "after") if name in self.query}
        page = head_page(ranking, self.query["page_size"], **place)
        rows: Any = HeadSerializer(page.games, many=True).data
        return PlacePagination.answer(request, rows, before=page.older, after=page.newer)


@extend_schema_view(
    get=extend_schema(operation_id="list_all_time_heads", summary="The heads of a club's games of all time")
)
class AllTimeHeads(Heads):
    """The heads of the games of a club's ranking of all time."""
