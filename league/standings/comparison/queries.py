"""A player's results and style compared with a ranking's average and with another player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final

from engine.analysis.profile import BINS
from engine.analysis.profile import COUNTS as SUMS
from engine.analysis.profile import Style as Sums
from engine.interval import Interval, of_share
from league.core import sql
from league.core.player.models import Player
from league.standings.ranked_game.queries.provisional import provisional_games_of_player
from league.standings.style.domain import PlayerStyle

COUNTS: Final = tuple(field.name for field in fields(Sums))[:SUMS]
"""The columns of a style that aren't divided into bins."""
BY_BIN: Final = tuple(
    f"{name}[{place}]"
    for name in ("challenges", "stated", '"right"')
    for place in range(1, BINS + 1)
)


@dataclass(frozen=True, slots=True)
class Results:
    """The sums of one player's games, or of all players'."""

    games: int
    wins: int
    points: int
    rank_sum: int

    @property
    def win_share(self) -> Interval:
        """Return the share of games won, with its 95 % interval."""
        return of_share(self.wins, self.games)

    @property
    def per_game(self) -> float:
        """Return the average points of a game."""
        return self.points / self.games

    @property
    def average_rank(self) -> float:
        """Return the average rank, from 1."""
        return self.rank_sum / self.games


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The games in which two players sat together, and in how many the first finished ahead and
    behind. `provisional`: the result of one of them is disputed."""

    games: int
    ahead: int
    behind: int
    provisional: bool

    @property
    def level(self) -> int:
        """Return the number of games in which both shared the rank."""
        return self.games - self.ahead - self.behind


def results_and_sums(ranking_id: int, players: Sequence[Player]) -> dict[int | None, Results]:
    """Return the results of these players in a ranking by player id; under None, the sums over all
    players. One query."""
    columns = ("games", "wins", "points", "rank_sum")
    return {
        player: Results(*row)
        for player, *row in _rows_with_sums("league_standing", columns, ranking_id, players)
    }


def styles_and_sums(ranking_id: int, players: Sequence[Player]) -> dict[int | None, PlayerStyle]:
    """Return the styles of these players in a ranking by player id; under None, the style of all
    players together. One query."""
    styles: dict[int | None, PlayerStyle] = {}
    for player, *sums in _rows_with_sums("league_style", (*COUNTS, *BY_BIN), ranking_id, players):
        # first the plain counts, then three columns of `BINS` figures
        counts = dict(zip(COUNTS, sums, strict=False))
        challenges, stated, right = (
            tuple(sums[start : start + BINS]) for start in range(len(COUNTS), len(sums), BINS)
        )
        styles[player] = PlayerStyle(
            Sums(**counts, challenges=challenges, stated=stated, right=right)
        )
    return styles


def _rows_with_sums(
    table: str, columns: Sequence[str], ranking_id: int, players: Sequence[Player]
) -> list[Sequence[int]]:
    """Return the id and the columns of each player's row; last, unless the ranking is empty, None
    and the columns' sums over all players."""
    own_columns = ", ".join(columns)
    sums = ", ".join(f"sum({column})::bigint" for column in columns)
    return sql.rows(
        f"""
        SELECT player_id, {own_columns}
        FROM {table}
        WHERE ranking_id = %(ranking)s AND player_id = ANY(%(players)s)
        UNION ALL
        SELECT NULL, {sums}
        FROM {table}
        WHERE ranking_id = %(ranking)s
        HAVING count(*) > 0
        """,
        {"ranking": ranking_id, "players": [player.pk for player in players]},
    )


def head_to_head(ranking_id: int, player: Player, second_player: Player) -> HeadToHead:
    """Return how two players did in the finished games of a ranking in which both sat. One
    query."""
    row = sql.row(
        f"""
        SELECT count(*), count(*) FILTER (WHERE own.rank < other.rank),
            count(*) FILTER (WHERE own.rank > other.rank),
            COALESCE(bool_or(game_id IN ({provisional_games_of_player()})), false)
        FROM league_appearance own
        JOIN league_appearance other USING (ranking_id, game_id)
        WHERE own.ranking_id = %(ranking)s
            AND own.player_id = %(player)s
            AND other.player_id = %(other)s
            AND own.rank IS NOT NULL
        """,
        {"ranking": ranking_id, "player": player.pk, "other": second_player.pk},
    )
    return HeadToHead(*row)
