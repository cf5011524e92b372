"""What a row's page says about its rank: distances to the rows around it and the effect of a
win."""

from __future__ import annotations

from django.db.models import Exists, Max, OuterRef, Subquery

from league.core.player.models import Player
from league.standings.ranked_game.models import Appearance, RankedGame
from league.standings.ranking.models import Ranking
from league.standings.standing.models import Standing
from league.standings.standing.queries.distance import Win, distances, key_with_win
from league.standings.standing.queries.standing import TableRow, table_rows


def rank_reasons(ranking: Ranking, row: TableRow) -> list[str]:
    """Explain a row's rank in sentences; empty while the ranking is rebuilt. Four queries."""
    if ranking.rebuilt_to is not None:
        return []
    rows_around = table_rows(ranking, first=max(0, row.place - 2), count=3)
    rows = {neighbour.place: neighbour for neighbour in rows_around}
    return distances(
        row,
        above=rows.get(row.place - 1),
        below=rows.get(row.place + 1),
        win=_effect_of_win(ranking, row),
        order=ranking.order,
    )


def best_games(ranking: Ranking, player: str, points: int) -> int:
    """Return how many of the games in a player's row brought this many points."""
    return Appearance.objects.filter(
        ranking=ranking, counts_for__public_id=player, points=points
    ).count()


def _most_points_in_last_game(ranking: Ranking, player: str) -> int | None:
    """Return the most points that a seat got in the last game that counts for the player."""
    player_id = Player.objects.values_list("pk", flat=True).get(public_id=player)
    counted = Appearance.objects.filter(
        ranking=OuterRef("ranking"), game=OuterRef("game"), counts_for=player_id
    )
    games = RankedGame.objects.filter(Exists(counted), ranking=ranking, over=True).order_by(
        "-played_at", "-natural_id"
    )
    seats = Appearance.objects.filter(ranking=ranking, game=Subquery(games.values("game")[:1]))
    points: int | None = seats.aggregate(most=Max("points"))["most"]
    return points


def _effect_of_win(ranking: Ranking, row: TableRow) -> Win | None:
    points = _most_points_in_last_game(ranking, row.player)
    if points is None:
        return None
    key = list(key_with_win(row, points, ranking.order))
    ahead = Standing.objects.filter(ranking=ranking, key__gt=key).exclude(public_id=row.player)
    return Win(points, 1 + ahead.count())
