"""The history of ratings: the change in each game for each of its players."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from engine.rating.rating import Rating

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class History(Generic[K]):
    """The ratings before and after some games, as columns with an entry for each seat of each game.

    The entries are in order of play, then of seats, as the games were given. A player of several
    games has several entries.
    """

    players: Sequence[K]
    mu_before: list[float]
    sigma_before: list[float]
    mu: list[float]
    sigma: list[float]

    def ratings(self) -> dict[K, Rating]:
        """Return the rating of each player after their last game."""
        # Of several rows of a player, the last one stays in the mapping.
        last_rows = {player: row for row, player in enumerate(self.players)}
        return {player: Rating(self.mu[row], self.sigma[row]) for player, row in last_rows.items()}
