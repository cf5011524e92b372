"""Tables of rankings."""

from __future__ import annotations

from functools import partial

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request

from league.clubs.api.player import PlayerSerializer
from league.clubs.api.row import RowSerializer
from league.frame.api.document import documented
from league.frame.api.pagination import LazyRows
from league.frame.api.parameters import Paged
from league.rankings.models import Ranking
from league.rankings.queries.standing import TableRow, table_rows
from league.seasons.api.view import SeenListView
from league.seasons.models import AllTime
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


class Standings(SeenListView):
    """The table of a ranking."""

    @documented(
        "list_standings", "A season's table", StandingSerializer(many=True), problems=[404], parameters=[Paged],
    )  # fmt: skip
    def get(self, request: Request, club: str, season: str = AllTime.SLUG) -> HttpResponseBase:
        """The table from best to worst."""
        return self.paged_of_ranking(self.board(club, season), standings, StandingSerializer)


@extend_schema_view(get=extend_schema(operation_id="list_all_time_standings", summary="A club's table of all time"))
class AllTimeStandings(Standings):
    """The table of a club's ranking of all time."""
