"""How ratings moved: one change for each game and player."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.rating.plackett_luce import MU, SIGMA

Columns = NDArray[np.void]
G = TypeVar("G")
K = TypeVar("K", bound=Hashable)


class Rating(NamedTuple):
    """The belief about one player's skill, and the wave of the last game it rests on (0: none yet)."""

    mu: float = MU
    sigma: float = SIGMA
    wave: int = 0


class Change(NamedTuple, Generic[G, K]):
    """What one game did to one player's rating; the game's wave is `after.wave`."""

    game: G
    player: K
    before: Rating
    after: Rating


@dataclass(frozen=True, slots=True, eq=False)
class History(Generic[G, K]):
    """The changes of some games in order of play, then of seats.

    The columns have a row for each seat of each game; iterating gives the rows as `Change`.
    """

    games: Sequence[G]
    players: Sequence[K]
    before: Columns
    after: Columns

    def __len__(self) -> int:
        return len(self.players)

    def __iter__(self) -> Iterator[Change[G, K]]:
        return map(Change, self.games, self.players, _ratings(self.before), _ratings(self.after))

    def ratings(self) -> dict[K, Rating]:
        """The rating of everybody who played, after their last game."""
        return dict(zip(self.players, _ratings(self.after), strict=True))


def columns(ratings: Sequence[Rating]) -> Columns:
    """Ratings as an array of records, shape (ratings,)."""
    return np.array(ratings, [("mu", np.float64), ("sigma", np.float64), ("wave", np.int64)])


def _ratings(rows: Columns) -> Iterator[Rating]:
    return map(Rating._make, rows.tolist())
