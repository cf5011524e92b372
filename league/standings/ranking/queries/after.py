"""What a game has changed in a ranking, from what is stored of it: points, ranks, ratings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.scoring.tally import Tally
from league.core import sql
from league.standings.ranking.models import Ranking
from league.standings.ranking.queries.change import ranks_changed

BROUGHT: Final = """
    SELECT seat.seat, seat.rank, seat.points - seat.penalty, seat.counts_for_id,
        change.seats[seat.seat + 1][1], change.seats[seat.seat + 1][3], row.games, row.wins,
        row.points, row.rank_sum, row.best, others.*
    FROM league_appearance seat
    JOIN league_standing row ON row.ranking_id = seat.ranking_id
        AND row.player_id = seat.counts_for_id
    LEFT JOIN league_ratingchange change ON change.ranking_id = seat.ranking_id
        AND change.game_id = seat.game_id
    CROSS JOIN LATERAL (
        SELECT count(*), count(*) FILTER (WHERE other.rank = 1),
            COALESCE(sum(other.points - other.penalty), 0), COALESCE(sum(other.rank), 0),
            COALESCE(max(other.points), 0)
        FROM league_appearance other
        WHERE other.ranking_id = seat.ranking_id
            AND other.counts_for_id = seat.counts_for_id
            AND other.game_id <> seat.game_id
            AND other.rank IS NOT NULL
    ) others
    WHERE seat.ranking_id = %s AND seat.game_id = %s AND seat.rank IS NOT NULL
    ORDER BY seat.rank, seat.seat
"""
FIGURES: Final = 5
"""Those of a tally."""


@dataclass(frozen=True, slots=True)
class SeatGain:
    """All that a game changed for a seat in a ranking: its points, less a penalty, and the total
    with it; the rank of the row as it would be without the game (None: it is the first), and as it
    is; the rating before and after, None where there is none."""

    seat: int
    points: int
    total: int
    rank_before: int | None
    rank: int | None
    mu_before: float | None
    mu: float | None

    @property
    def climbed(self) -> int | None:
        """Places won by the game, negative for lost ones; None for who is new."""
        return (
            None if self.rank_before is None or self.rank is None else self.rank_before - self.rank
        )

    @property
    def gained(self) -> float | None:
        """Read how far the game moved the rating."""
        return None if self.mu is None or self.mu_before is None else self.mu - self.mu_before


def seat_gains(game_id: int, ranking: Ranking) -> list[SeatGain]:
    """What a game has changed in a ranking, the winner first; nothing until it is counted. Two
    queries, one then."""
    rows = sql.rows(BROUGHT, [ranking.pk, game_id])
    if not rows:
        return []
    players = [row[3] for row in rows]
    tallies = [Tally(*row[6 : 6 + FIGURES]) for row in rows]
    ranks = ranks_changed(
        ranking.pk, ranking.order, players, tallies, [Tally(*row[6 + FIGURES :]) for row in rows]
    )
    return [
        SeatGain(seat, points, tally.points, before, current, mu_before, mu)
        for (seat, _, points, _, mu_before, mu, *_), tally, (current, before) in zip(
            rows, tallies, ranks, strict=True
        )
    ]
