"""Tables of rankings."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request

from league.clubs.api.player import PlayerNamed, named
from league.frame.api.document import documented
from league.frame.api.pagination import LazyRows
from league.frame.api.parameters import Paged
from league.rankings.models import Ranking
from league.rankings.queries.standing import TableRow, table_rows
from league.seasons.api.view import SeenListView
from league.seasons.models import AllTime
from league.seasons.queries.listing import standing_count


class StandingShape(serializers.Serializer[None]):
    """A row of a ranking's table. Who shares a rank is level in every tie-break."""

    rank = serializers.IntegerField()
    rank_before = serializers.IntegerField(allow_null=True, help_text="The rank before the last day of play.")
    player = PlayerNamed()
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    points = serializers.IntegerField()
    points_per_game = serializers.FloatField()
    average_rank = serializers.FloatField()
    best_game = serializers.IntegerField(help_text="The most points of one game.")
    only_end = serializers.BooleanField(help_text="Only the end is known of one of these games, or of more.")
    decided_by = serializers.CharField(allow_null=True, help_text="The tie-break that parts this row from a neighbour.")


def standing_json(row: TableRow) -> dict[str, Any]:
    """A row of the table as it is sent."""
    return {
        "rank": row.rank,
        "rank_before": row.rank_before,
        "player": named(row.player, row.handle, row.name),
        "games": row.games,
        "wins": row.wins,
        "points": row.points,
        "points_per_game": row.per_game,
        "average_rank": row.average_rank,
        "best_game": row.best,
        "only_end": row.only_end,
        "decided_by": row.decided_by or None,
    }


EXAMPLE = standing_json(
    TableRow(1, 2, "", "h7mzt3kd9q", "xenia", "Xenia", 20, 9, 325, 41, 20, None, None, None, False, 1)
)


def standings(ranking: Ranking) -> LazyRows[TableRow]:
    """The rows of a ranking, read page by page."""
    return LazyRows(
        partial(standing_count, ranking), lambda first, count: table_rows(ranking, first=first, count=count)
    )


class Standings(SeenListView):
    """The table of a ranking."""

    @documented(
        "list_standings",
        "A season's table",
        StandingShape(many=True),
        problems=[404],
        parameters=[Paged],
        example=EXAMPLE,
    )
    def get(self, request: Request, club: str, season: str = AllTime.SLUG) -> HttpResponseBase:
        """The table from best to worst."""
        return self.paged_of_ranking(self.board(club, season), standings, standing_json)


@extend_schema_view(get=extend_schema(operation_id="list_all_time_standings", summary="A club's table of all time"))
class AllTimeStandings(Standings):
    """The table of a club's ranking of all time."""
