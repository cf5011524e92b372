"""Arbiters' adjustments of a game, and how it counts with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.scoring.points import Scoring, placement, points_as_ruled


class Adjustments(NamedTuple):
    """What arbiters have adjusted in a game, in seat order.

    `order`: the ranks that were set; None if none were. `penalties`: the points that each seat
    loses; empty if none does."""

    order: tuple[int, ...] | None = None
    penalties: tuple[int, ...] = ()

    def penalty(self, seat: int) -> int:
        """Return the points that a seat, counted from 0, loses."""
        return self.penalties[seat] if self.penalties else 0

    def ranks(self, played: Sequence[int]) -> tuple[int, ...]:
        """Return the ranks that count; `played` are the ranks in which the seats finished."""
        return tuple(played) if self.order is None else self.order

    def points(
        self, scoring: Scoring, ranks: Sequence[int], points: Sequence[int]
    ) -> tuple[int, ...]:
        """Return the points that count by `scoring`, penalties not yet taken off. `ranks` and
        `points` are those of the game as it was played."""
        if self.order is None:
            return tuple(points)
        if scoring == Scoring.PLACEMENT:
            return placement(self.order)
        return points_as_ruled(points, ranks, self.order)


NO_ADJUSTMENTS: Final = Adjustments()
