"""A player's ratings day by day, and the opponents at the same tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from league.core import sql
from league.core.player.models import Player
from league.standings.comparison.queries import HeadToHead
from league.standings.ranked_game.domain.game import UNTIMED
from league.standings.ranked_game.queries.provisional import provisional_games_of_player


@dataclass(frozen=True, slots=True)
class RatingDay:
    """A player's rating after a day of play at an event; `day` is None for games without a time.
    `provisional`: the result of one of the player's games up to then is disputed."""

    event: str
    day: date | None
    games: int
    mu: float
    sigma: float
    provisional: bool


@dataclass(frozen=True, slots=True)
class Rival(HeadToHead):
    """An opponent, and how the player did in the games that both sat in."""

    player: str
    handle: str
    name: str

    @property
    def balance(self) -> int:
        """Return games ahead minus games behind."""
        return self.ahead - self.behind


HISTORY: Final = """
    WITH rated AS (
        SELECT event, (NULLIF(played_at, %(untimed)s) AT TIME ZONE %(zone)s)::date AS day,
            seats[seat + 1][3] AS mu, seats[seat + 1][4] AS sigma,
            row_number() OVER way AS number,
            bool_or(game_id IN ({provisional})) OVER way AS provisional
        FROM league_appearance
        JOIN league_rankedgame USING (ranking_id, game_id)
        JOIN league_ratingchange USING (ranking_id, game_id)
        WHERE player_id = %(player)s AND ranking_id = %(ranking)s
        WINDOW way AS (ORDER BY played_at, natural_id)
    ),
    ended AS (
        SELECT *,
            (event, day) IS DISTINCT FROM (lead(event) OVER way, lead(day) OVER way) AS is_last
        FROM rated
        WINDOW way AS (ORDER BY number)
    )
    SELECT COALESCE(named.name, event), day,
        number - lag(number, 1, 0) OVER (ORDER BY number), mu, sigma, provisional,
        count(*) OVER ()
    FROM ended
    LEFT JOIN league_event named ON named.club_id = %(club)s AND named.slug = event
    WHERE is_last
    ORDER BY number DESC
    LIMIT %(count)s
"""
"""The last game of each day of play at an event: a game is the last if the next one is of another
day or event."""


def history_of(player: Player, ranking_id: int, count: int) -> tuple[list[RatingDay], int]:
    """Return the player's rating in a ranking after each of the last `count` days of play, and the
    number of all such days. Days are those of the club's time zone. One query."""
    parameters: dict[str, Any] = {
        "untimed": UNTIMED,
        "zone": player.club.timezone,
        "player": player.pk,
        "club": player.club_id,
        "ranking": ranking_id,
        "count": count,
    }
    statement = HISTORY.format(provisional=provisional_games_of_player())
    days = sql.rows(statement, parameters)[::-1]
    total = days[0][-1] if days else 0
    return [RatingDay(*day) for *day, _ in days], total


def rivals_of(player: Player, rankings: Sequence[int]) -> list[Rival]:
    """Return everybody whom the player met in a finished game of these rankings, given by ids; the
    most frequent opponent first. One query."""
    rows = sql.rows(
        f"""
        SELECT met.together, met.ahead, met.behind, met.provisional, player.public_id,
            player.handle, player.name
        FROM (
            SELECT other.player_id, count(*) AS together,
                count(*) FILTER (WHERE own.rank < other.rank) AS ahead,
                count(*) FILTER (WHERE own.rank > other.rank) AS behind,
                bool_or(game_id IN ({provisional_games_of_player()})) AS provisional
            FROM league_appearance own
            JOIN league_appearance other USING (ranking_id, game_id)
            WHERE own.player_id = %(player)s
                AND own.ranking_id = ANY(%(rankings)s)
                AND own.rank IS NOT NULL
            GROUP BY other.player_id
        ) met
        JOIN league_player player ON player.id = met.player_id
        WHERE player.id <> %(player)s
        ORDER BY together DESC, player.name_key, player.id
        """,
        {"player": player.pk, "rankings": list(rankings)},
    )
    return [Rival(*row) for row in rows]
