"""All that a rank was after each day of play."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from django.db import connection

from league.clubs.models import Player
from league.rankings.models import Ranking


@dataclass(frozen=True, slots=True)
class RankDay:
    """Where a player stood after a day of play; `day` is None in a ranking of games without a time.

    `games`: those of the player on that day. `points`: all of the player's up to and with it. `before`: the rank after
    the day before, None on the player's first. `players`: how many were ranked.
    """

    day: date | None
    games: int
    points: int
    rank: int
    players: int
    before: int | None

    @property
    def climbed(self) -> int | None:
        """Places won since the day before, negative for lost ones; None on the player's first day."""
        return None if self.before is None else self.before - self.rank


DAYS: Final = """
    SELECT day, games, points, rank, players FROM league_dayrank
    WHERE ranking_id = %(ranking)s AND player_id = %(player)s AND day < %(last_day)s
    UNION ALL
    SELECT %(last_day)s::date,
        CASE WHEN day IS NOT DISTINCT FROM %(last_day)s::date THEN games - before[1] ELSE 0 END,
        points,
        1 + (SELECT count(*) FROM league_standing WHERE ranking_id = own.ranking_id AND key > own.key),
        (SELECT count(*) FROM league_standing WHERE ranking_id = own.ranking_id)
    FROM league_standing own WHERE ranking_id = %(ranking)s AND player_id = %(player)s
    ORDER BY day
"""
"""The days that are over, as they are stored, and the last one, whose ranks are those of the standings."""


def rank_days(ranking: Ranking, player: Player) -> list[RankDay]:
    """The player's rank after every day on which anybody played, from the player's first on; who has no game in the
    ranking has no days. One query, whose work grows with the days, not with days times players."""
    with connection.cursor() as cursor:
        cursor.execute(DAYS, {"ranking": ranking.pk, "player": player.pk, "last_day": ranking.last_day})
        rows = cursor.fetchall()
    before = [None, *(rank for _, _, _, rank, _ in rows)]
    return [RankDay(*row) for row in ((*row, rank) for row, rank in zip(rows, before, strict=False))]
