"""The rows beside a row of a ranking, and where a win would take it."""

from __future__ import annotations

from league.rankings.models import Ranking, Standing
from league.rankings.queries.standing import TableRow, shares_of, table_rows
from league.seasons.domain.distance import Win, distances, key_with_win


def rank_reasons(ranking: Ranking, row: TableRow) -> list[str]:
    """Say why a row has its rank, in sentences, by four queries; none while the ranking is counted anew."""
    if ranking.rebuilt_to is not None:
        return []
    rows = {near.place: near for near in table_rows(ranking, first=max(0, row.place - 2), count=3)}
    return distances(row, rows.get(row.place - 1), rows.get(row.place + 1), _win(ranking, row), ranking.order)


def _win(ranking: Ranking, row: TableRow) -> Win | None:
    """The rank after a win with the points of the winner of the row's last game; None where no game had points."""
    last = shares_of(ranking, row.player, first=row.games - 1, count=1).shares
    points = [seat["points"] for share in last for seat in share.game.seats if seat["points"] is not None]
    if not points:
        return None
    key = list(key_with_win(row, max(points), ranking.order))
    ahead = Standing.objects.filter(ranking=ranking, key__gt=key).exclude(public_id=row.player)
    return Win(max(points), 1 + ahead.count())
