"""Heads of games: the digests that a game can't be changed under."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from league.frame.api.links import game_link
from league.frame.api.operation import reads
from league.frame.api.pagination import PlacePagination
from league.frame.api.serializers import Serializer
from league.rankings.api.place import PagedByPlace
from league.rankings.queries.ranking import Head, head_page
from league.seasons.api.view import BoardView
from league.seasons.queries.board import Board


class HeadSerializer(Serializer):
    """A game and its head, which stands for all of it: the last link of its chain of digests, in hexadecimal."""

    id_ = serializers.CharField()
    record_id = serializers.CharField(help_text="The id in its record, unique in the club.")
    head = serializers.CharField()
    url = serializers.CharField()

    def to_representation(self, instance: Head) -> dict[str, Any]:
        """A game's head; a page may have thousands."""
        head, record, game = instance
        return {"id": game, "record_id": record, "head": bytes(head).hex(), "url": game_link(game)}


class Heads(BoardView):
    """The heads of a ranking's games."""

    pagination_class = PlacePagination

    def page(self) -> Response:
        """The heads from the place on that the request names."""
        place = {name: self.query[name] for name in ("before", "after") if name in self.query}
        page = head_page(self.board.ranking, self.query["page_size"], **place)
        rows: Any = HeadSerializer(page.games, many=True).data
        return PlacePagination.answer(self.request, rows, before=page.older, after=page.newer)

    @reads("The heads of a season's games", HeadSerializer(many=True), parameters=PagedByPlace)
    def list_heads(self, board: Board) -> Response:
        """The last digest of every game, in order of play: who keeps them finds any later change."""
        return self.page()

    @reads("The heads of a club's games of all time", HeadSerializer(many=True), parameters=PagedByPlace)
    def list_all_time_heads(self, board: Board) -> Response:
        """The last digest of every game, in order of play: who keeps them finds any later change."""
        return self.page()
