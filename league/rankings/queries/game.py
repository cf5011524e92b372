"""A game as its page shows it: who sat there, and what it brought."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rating.interval import Z95
from games.models import Game
from league.rankings.models import Appearance, RatingChange


@dataclass(frozen=True, slots=True)
class SeatAtTable:
    """A seat with its player (None in a game that no season knows). `rank` and `points` (the season's) are None until
    the game is over, `rating` until it is counted."""

    number: int
    handle: str
    name: str
    player_id: int | None
    rank: int | None
    points: int | None
    rating: RatingChange | None

    @property
    def gained(self) -> float | None:
        """What the game did to the rating."""
        return self.rating.mu - self.rating.mu_before if self.rating else None

    @property
    def half(self) -> float | None:
        """Half the width of the rating's 95 % interval after the game."""
        return Z95 * self.rating.sigma if self.rating else None


def seats_of(game: Game) -> list[SeatAtTable]:
    """The seats in order, counted from 0; two queries."""
    changes = {row.player_id: row for row in RatingChange.objects.filter(season_game__game=game)}
    rows = Appearance.objects.filter(season_game__game=game).select_related("seat", "player")
    return [
        SeatAtTable(
            number=row.seat.number,
            handle=row.player.handle,
            name=row.player.name,
            player_id=row.player_id,
            rank=row.rank,
            points=row.points,
            rating=changes.get(row.player_id),
        )
        for row in rows.order_by("seat__number")
    ]
