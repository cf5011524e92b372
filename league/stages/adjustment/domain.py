"""What arbiters adjust in a game: the order of its seats, and what is left of it when the game is
corrected."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from league.standings.adjustment.domain import Adjustments


def seats_put_last(ranks: Sequence[int], seats: Collection[int]) -> tuple[int, ...]:
    """Return the ranks once some seats, counted from 0, share the last place; the others keep their
    order."""
    present = [rank for seat, rank in enumerate(ranks) if seat not in seats]
    return tuple(
        1 + len(present) if seat in seats else 1 + sum(rival < rank for rival in present)
        for seat, rank in enumerate(ranks)
    )


def adjustments_kept(
    adjustments: Adjustments, before: Sequence[int | None], after: Sequence[int | None]
) -> Adjustments:
    """Return what is left of the adjustments of a game whose seats had these players, and have
    those now.

    A penalty goes with its player, and falls if that one doesn't sit there any more. A set order
    holds for the same players in the same seats."""
    lost = {
        player: adjustments.penalty(seat)
        for seat, player in enumerate(before)
        if adjustments.penalty(seat)
    }
    penalties = tuple(lost.get(player, 0) for player in after)
    order = adjustments.order if list(before) == list(after) else None
    return Adjustments(order, penalties if any(penalties) else ())
