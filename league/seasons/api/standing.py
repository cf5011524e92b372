"""Tables of rankings."""

from __future__ import annotations

from functools import partial

from rest_framework import serializers

from league.clubs.api.player import PlayerSerializer
from league.clubs.api.row import RowSerializer
from league.frame.api.operation import reads
from league.frame.api.pagination import LazyRows
from league.rankings.models import Ranking
from league.rankings.queries.standing import TableRow, table_rows
from league.seasons.api.view import BoardView
from league.seasons.queries.board import Board
from league.seasons.queries.listing import standing_count


class StandingSerializer(RowSerializer):
    """A row of a ranking's table. Who shares a rank is level in every tie-break."""

    rank = serializers.IntegerField()
    rank_before = serializers.IntegerField(allow_null=True, help_text="The rank before the last day of play.")
    player = PlayerSerializer(source="*", columns=("player", "handle", "name"))
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    points = serializers.IntegerField()
    points_per_game = serializers.FloatField(source="per_game")
    average_rank = serializers.FloatField()
    best_game = serializers.IntegerField(source="best", help_text="The most points of one game.")
    only_end = serializers.BooleanField(help_text="Only the end is known of one of these games, or of more.")
    decided_by = serializers.SerializerMethodField(help_text="The tie-break that parts this row from a neighbour.")

    def get_decided_by(self, row: TableRow) -> str | None:
        """The tie-break, if one was needed."""
        return row.decided_by or None


def standings(ranking: Ranking) -> LazyRows[TableRow]:
    """The rows of a ranking, read page by page."""
    return LazyRows(
        partial(standing_count, ranking), lambda first, count: table_rows(ranking, first=first, count=count)
    )


class Standings(BoardView):
    """The tables of rankings."""

    @reads("A season's table", StandingSerializer(many=True))
    def list_standings(self, board: Board) -> LazyRows[TableRow]:
        """The table from best to worst."""
        return standings(board.ranking)

    @reads("A club's table of all time", StandingSerializer(many=True))
    def list_all_time_standings(self, board: Board) -> LazyRows[TableRow]:
        """The table from best to worst."""
        return standings(board.ranking)
