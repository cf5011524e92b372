"""Adjustments of a game by arbiters: the order of its seats, and what is kept when it is
corrected."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from league.standings.adjustment.domain import Adjustments


def seats_put_last(ranks: Sequence[int], seats: Collection[int]) -> tuple[int, ...]:
    """Return the ranks of a game, by seat, if these seats (from 0) share the last place and the
    other seats keep their order."""
    present = [rank for seat, rank in enumerate(ranks) if seat not in seats]
    last = 1 + len(present)
    after = []
    for seat, rank in enumerate(ranks):
        if seat in seats:
            after.append(last)
        else:
            after.append(1 + sum(rival < rank for rival in present))
    return tuple(after)


def adjustments_kept(
    adjustments: Adjustments, before: Sequence[int | None], after: Sequence[int | None]
) -> Adjustments:
    """Return the adjustments that are kept when the players of a game's seats change from `before`
    to `after`.

    A penalty moves with its player, and lapses if they no longer sit there. A set order is kept if
    the same players have the same seats.
    """
    penalties_of_players = {
        player: adjustments.penalty(seat)
        for seat, player in enumerate(before)
        if adjustments.penalty(seat)
    }
    penalties = tuple(penalties_of_players.get(player, 0) for player in after)
    if not any(penalties):
        penalties = ()
    same_seats = list(before) == list(after)
    return Adjustments(adjustments.order if same_seats else None, penalties)
