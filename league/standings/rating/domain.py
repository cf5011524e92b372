"""Figures that follow from a rating."""

from __future__ import annotations

from engine.interval import Z95
from engine.rating.rating import is_provisional


class Rated:
    """A row with a rating; `sigma` is None if there is no rating."""

    __slots__ = ()
    sigma: float | None

    @property
    def half(self) -> float | None:
        """Return half the width of the rating's 95 % interval; None without a rating."""
        return None if self.sigma is None else Z95 * self.sigma

    @property
    def settling(self) -> bool:
        """Return True if the rating rests on too few games yet."""
        return self.sigma is not None and is_provisional(self.sigma)


class RatedByGame:
    """A row with the ratings before and after a game; `mu` is None if the game isn't rated."""

    __slots__ = ()
    mu_before: float | None
    mu: float | None

    @property
    def gained(self) -> float | None:
        """Return how far the game moved the rating; None if it isn't rated."""
        if self.mu is None or self.mu_before is None:
            return None
        return self.mu - self.mu_before
