"""A ranking as it is shown, and what a row of it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ObjectDoesNotExist
from django.db import connection

from engine.interval import Z95
from engine.rating.rating import is_provisional
from engine.scoring.standings import decided_by
from league.rankings.models import RankedGame, Ranking, TieBreak
from league.rankings.queries.gameline import LINE, SEATS, GameLine

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a ranking. `mu`, `sigma` and `recent` are None where it isn't rated.

    `decided_by`: the tie-break that put this row behind the one above it; empty if none was needed.
    """

    rank: int
    rank_before: int | None
    decided_by: str
    player: str
    handle: str
    name: str
    games: int
    wins: int
    points: int
    rank_sum: int
    best: int
    mu: float | None
    sigma: float | None
    recent: Sequence[float] | None

    @property
    def climbed(self) -> int | None:
        """Places won since before the last day of play, negative for lost ones; None for who is new."""
        return None if self.rank_before is None else self.rank_before - self.rank

    @property
    def per_game(self) -> float:
        """How many points a game brought on average."""
        return self.points / self.games

    @property
    def average_rank(self) -> float:
        """Average rank, from 1."""
        return self.rank_sum / self.games

    @property
    def half(self) -> float | None:
        """Half the width of the rating's 95 % interval."""
        return None if self.sigma is None else Z95 * self.sigma

    @property
    def provisional(self) -> bool:
        """Whether the rating rests on too few games yet."""
        return self.sigma is not None and is_provisional(self.sigma)

    @property
    def decided(self) -> StrOrPromise:
        """The tie-break that put this row behind the one above it, in words; empty if none was needed."""
        return TieBreak(self.decided_by).label if self.decided_by else ""

    @property
    def made_of(self) -> str:
        """Where, below the ranking's address, the page is that shows what the row is made of."""
        return f"players/{self.player}/"


RANKED: Final = """
    SELECT rank() OVER (ORDER BY key DESC) AS rank,
        CASE WHEN earlier IS NOT NULL
            THEN rank() OVER (PARTITION BY earlier IS NULL ORDER BY earlier DESC) END AS rank_before,
        key, lag(key) OVER (ORDER BY key DESC, player_id) AS key_above, player_id,
        games, wins, points, rank_sum, best
    FROM (
        SELECT standing.*,
            CASE WHEN standing.day IS NOT DISTINCT FROM ranking.last_day
                THEN standing.key_before ELSE standing.key END AS earlier
        FROM league_standing standing JOIN league_ranking ranking ON ranking.id = standing.ranking_id
        WHERE standing.ranking_id = %(ranking)s
    ) row
"""
"""The rows of a ranking with the ranks that follow from their keys, now and before the last day of play."""
SHOWN: Final = f"""
    SELECT row.rank, row.rank_before, row.key, row.key_above, player.public_id, player.handle, player.name,
        row.games, row.wins, row.points, row.rank_sum, row.best, rating.mu, rating.sigma, rating.recent
    FROM ({RANKED}) row
    JOIN league_player player ON player.id = row.player_id
    LEFT JOIN league_rating rating ON rating.ranking_id = %(ranking)s AND rating.player_id = row.player_id
"""


def table_rows(ranking: Ranking, *, first: int = 0, count: int | None = None) -> list[TableRow]:
    """The rows of a ranking from best to worst, in one query: all of them, or `count` from the `first` on (from 0)."""
    statement = f"{SHOWN} ORDER BY row.key DESC, row.player_id OFFSET %(first)s LIMIT %(count)s"
    return _shown(ranking, statement, first=first, count=count)


def row_of(ranking: Ranking, player: str) -> TableRow:
    """One player's row of a ranking, by the public id. Raises `ObjectDoesNotExist`."""
    found = _shown(ranking, f"{SHOWN} WHERE player.public_id = %(player)s", player=player)
    if not found:
        raise ObjectDoesNotExist
    return found[0]


def _shown(ranking: Ranking, statement: str, **asked: Any) -> list[TableRow]:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"ranking": ranking.pk, **asked})
        return [
            TableRow(rank, before, (above and decided_by(tuple(above), tuple(key), ranking.order)) or "", *rest)
            for rank, before, key, above, *rest in cursor.fetchall()
        ]


@dataclass(frozen=True, slots=True)
class Share:
    """What one game brought a player: rank and points, and `total`, the points up to and with it.

    The ratings before and after are None where the ranking isn't rated.
    """

    game: GameLine
    rank: int
    points: int
    total: int
    mu_before: float | None
    mu: float | None
    sigma: float | None

    @property
    def gained(self) -> float | None:
        """How far the game moved the rating."""
        return None if self.mu is None or self.mu_before is None else self.mu - self.mu_before

    @property
    def half(self) -> float | None:
        """Half the width of the rating's 95 % interval after the game."""
        return None if self.sigma is None else Z95 * self.sigma


def shares_of(ranking: Ranking, player: str) -> list[Share]:
    """Every game of a player that a ranking counts, in order of play, in one query."""
    own = "game__appearances"
    games = RankedGame.objects.filter(
        ranking=ranking, over=True, **{f"{own}__ranking": ranking.pk, f"{own}__player__public_id": player}
    ).order_by("played_at", "natural_id")
    figures = games.annotate(seats=SEATS).values_list(
        *LINE, *(f"{own}__{column}" for column in ("rank", "points", "mu_before", "mu", "sigma"))
    )
    shares, total = [], 0
    for *line, rank, points, mu_before, mu, sigma in figures:
        total += points
        shares.append(Share(GameLine.of(line), rank, points, total, mu_before, mu, sigma))
    return shares
