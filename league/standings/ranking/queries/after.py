"""How a game changed a ranking's points, ranks and ratings, from what is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.scoring.tally import Tally
from league.core import sql
from league.standings.ranking.models import Ranking
from league.standings.ranking.queries.change import ranks_changed
from league.standings.rating.domain import RatedByGame

SEATS: Final = """
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
"""The number of figures in a tally. `SEATS` selects two tallies for each seat: the player's, and the
player's without the game."""


@dataclass(frozen=True, slots=True)
class SeatGain(RatedByGame):
    """How a game changed the row of a seat's player in a ranking.

    `points`: those of the game, less a penalty; `total`: those of the row, the game included.
    `rank_before`: the rank that the row would have without the game, None if it has no other game.
    `mu_before`, `mu`: the ratings before and after the game, None if it isn't rated."""

    seat: int
    points: int
    total: int
    rank_before: int | None
    rank: int | None
    mu_before: float | None
    mu: float | None

    @property
    def climbed(self) -> int | None:
        """Return by how many places the game moved the row up, negative if it moved down; None for
        a player's only game."""
        if self.rank_before is None or self.rank is None:
            return None
        return self.rank_before - self.rank


def seat_gains(game_id: int, ranking: Ranking) -> list[SeatGain]:
    """Return how a game changed a ranking for each seat, the winner first; empty until the game is
    counted. Two queries; one until then."""
    rows = sql.rows(SEATS, [ranking.pk, game_id])
    if not rows:
        return []
    players = []
    tallies = []
    tallies_without = []
    for _, _, _, counts_for, _, _, *figures in rows:
        players.append(counts_for)
        tallies.append(Tally(*figures[:FIGURES]))
        tallies_without.append(Tally(*figures[FIGURES:]))
    ranks = ranks_changed(ranking.pk, ranking.order, players, tallies, tallies_without)
    gains = []
    for row, tally, (rank, rank_without) in zip(rows, tallies, ranks, strict=True):
        seat, _, points, _, mu_before, mu, *_ = row
        gains.append(SeatGain(seat, points, tally.points, rank_without, rank, mu_before, mu))
    return gains
