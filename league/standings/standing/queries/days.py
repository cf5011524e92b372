"""A player's rank after each day of play.

It isn't stored: it depends on the games of all players, so each result would change it for all. It
is added up from the games on request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from engine.scoring.standings import AVERAGE_BITS, Criterion
from league.core import sql
from league.core.player.models import Player
from league.standings.ranked_game.domain.game import UNTIMED
from league.standings.ranked_game.queries.provisional import provisional_games_of_player
from league.standings.ranking.models import Ranking


@dataclass(frozen=True, slots=True)
class RankDay:
    """A player's rank after a day of play; `day` is None in a ranking of games without a time.

    `games`: the number of the player's games on that day. `points`: the player's total up to and
    including that day. `before`: the rank after the day before, None on the player's first day.
    `players`: the number of players in the ranking that day. `provisional`: the result of one of
    the player's games up to then is disputed."""

    day: date | None
    games: int
    points: int
    rank: int
    players: int
    before: int | None
    provisional: bool

    @property
    def climbed(self) -> int | None:
        """Return by how many places the player rose since the day before, negative for a fall; None
        on the player's first day."""
        if self.before is None:
            return None
        return self.before - self.rank


KEYS: Final = {
    Criterion.POINTS: "points",
    Criterion.WINS: "wins",
    Criterion.POINTS_PER_GAME: (
        f"div(points * {1 << AVERAGE_BITS}::numeric"
        " - CASE WHEN points < 0 THEN games - 1 ELSE 0 END, games)"
    ),
    Criterion.AVERAGE_RANK: f"-div(rank_sum * {1 << AVERAGE_BITS}::numeric + games - 1, games)",
    Criterion.BEST_GAME: "best",
    Criterion.GAMES: "games",
}
"""The whole number that each criterion compares, as `engine.scoring.standings.sort_key` computes
it."""

DAY: Final = (
    "COALESCE((NULLIF(played_at, %(untimed)s) AT TIME ZONE %(zone)s)::date, '-infinity') AS day"
)
"""The day on which a game was played; a game without a time comes before all others."""

PLAYED: Final = f"""
    SELECT DISTINCT NULLIF(day, '-infinity') AS day
    FROM (
        SELECT {DAY}
        FROM league_rankedgame
        WHERE ranking_id = %(ranking)s AND over
    ) game
    WHERE day >= (
        SELECT min(day)
        FROM league_appearance seat
        CROSS JOIN LATERAL (
            SELECT {DAY}
            FROM league_rankedgame
            WHERE ranking_id = %(ranking)s AND game_id = seat.game_id AND over
            OFFSET 0
        ) own
        WHERE seat.ranking_id = %(ranking)s AND counts_for_id = %(player)s
    )
    ORDER BY day DESC NULLS LAST
"""

RANKS: Final = f"""
    WITH gained AS (
        SELECT counts_for_id AS player, width_bucket(day, %(days)s::date[]) AS number,
            count(*)::int AS games, count(*) FILTER (WHERE rank = 1)::int AS wins,
            sum(points - penalty)::int AS points, sum(rank)::int AS rank_sum,
            max(points)::int AS best
        FROM (
            SELECT game_id, {DAY}
            FROM league_rankedgame
            WHERE ranking_id = %(ranking)s AND over
        ) game
        CROSS JOIN LATERAL (
            SELECT counts_for_id, rank, points, penalty
            FROM league_appearance seat
            WHERE ranking_id = %(ranking)s
                AND seat.game_id = game.game_id
                AND counts_for_id IS NOT NULL
            OFFSET 0
        ) seat
        WHERE day <= %(last)s
        GROUP BY counts_for_id, number
    ),
    summed AS (
        SELECT player, number, games AS gained,
            lead(number, 1, %(count)s + 1) OVER way AS following, sum(games) OVER way AS games,
            sum(wins) OVER way AS wins, sum(points) OVER way AS points,
            sum(rank_sum) OVER way AS rank_sum, max(best) OVER way AS best
        FROM gained
        WINDOW way AS (PARTITION BY player ORDER BY number)
    ),
    total AS (
        SELECT player, number, following, gained, points, ARRAY[{{key}}]::bigint[] AS key
        FROM summed
    ),
    own AS MATERIALIZED (
        SELECT generate_series(GREATEST(number, 1), following - 1) AS day, number, gained,
            points, key
        FROM total
        WHERE player = %(player)s
    ),
    disputed AS (
        SELECT width_bucket(min(day), %(days)s::date[]) AS day
        FROM (
            SELECT {DAY}
            FROM league_rankedgame
            WHERE ranking_id = %(ranking)s AND game_id IN ({{provisional}})
        ) game
    )
    SELECT CASE WHEN own.number = day THEN own.gained ELSE 0 END, own.points,
        1 + count(*) FILTER (WHERE total.key > own.key), count(*),
        COALESCE(own.day >= (SELECT day FROM disputed), false)
    FROM own
    JOIN total ON total.number <= day AND day < total.following
    GROUP BY own.day, own.number, own.gained, own.points
    ORDER BY own.day DESC
"""
"""The totals of all players at the end of each day: days are numbered from 1, and 0 stands for the
time before.

Each game's seats are looked up by themselves: a join could read all of a ranking's for each
game."""


def play_days(ranking: Ranking, player: Player) -> list[date | None]:
    """Return the days on which anybody played, from the player's first day on, the latest first, in
    the club's time zone. If no game has a time, None is the only day. Empty for a player without
    games in the ranking. One query."""
    days: list[date | None] = [day for (day,) in sql.rows(PLAYED, _parameters(ranking, player))]
    return [day for day in days if day] or days


def rank_days(ranking: Ranking, player: Player, days: Sequence[date | None]) -> list[RankDay]:
    """Return the player's rank after each of these days, which follow each other in `play_days`,
    the latest first; `before` is None for the earliest of them. One query, whose work grows with
    the ranking's seats, and with its players times these days."""
    if not days:
        return []
    statement = RANKS.format(
        key=", ".join(KEYS[criterion] for criterion in ranking.order),
        provisional=provisional_games_of_player("counts_for_id"),
    )
    # the database numbers days by these bounds, the earliest first
    thresholds = [str(day or "-infinity") for day in days[::-1]]
    parameters = {
        **_parameters(ranking, player),
        "days": thresholds,
        "last": thresholds[-1],
        "count": len(thresholds),
    }
    rows = sql.rows(statement, parameters)
    ranks = [rank for _, _, rank, _, _ in rows]
    ranks_before = [*ranks[1:], None]  # the earlier day is the next one in the list
    ranked_days = []
    for day, row, rank_before in zip(days, rows, ranks_before, strict=True):
        games, points, rank, players, provisional = row
        ranked_days.append(RankDay(day, games, points, rank, players, rank_before, provisional))
    return ranked_days


def _parameters(ranking: Ranking, player: Player) -> dict[str, Any]:
    return {
        "ranking": ranking.pk,
        "player": player.pk,
        "zone": player.club.timezone,
        "untimed": UNTIMED,
    }
