"""Previews of penalty points and a set order of a game. Nothing is written."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine.record.kind import Ending
from games.models import Game
from league.disputes.correction.queries.event import EventEffect, adjusted_effect
from league.disputes.correction.queries.ranking import RankingEffect, adjustment_effects
from league.stages.adjustment.queries import ending_played, players_seated
from league.stages.adjustment.services.lift import refuse_unadjusted
from league.stages.adjustment.services.order import ranks_without, refuse_order
from league.stages.adjustment.services.penalty import refuse_penalty
from league.standings.adjustment.domain import NO_ADJUSTMENTS, Adjustments
from league.standings.adjustment.queries import adjustments_of


@dataclass(frozen=True, slots=True)
class AdjustmentPreview:
    """The changes that an adjustment of a game would make: in each ranking that counts it, and in
    the event at whose table it was played."""

    effects: tuple[RankingEffect, ...]
    event: EventEffect | None


def penalty_preview(*, game: Game, seat: int, points: int) -> AdjustmentPreview:
    """Return the effects that `penalty_add` would have. Raise `Refused` if it would refuse the
    penalty. The game must be loaded with its season."""
    refuse_penalty(game, seat, points)
    penalised = _with_penalty(adjustments_of(game), ending_played(game), seat, points)
    return _preview(game, penalised)


def order_preview(*, game: Game, ranks: Sequence[int]) -> AdjustmentPreview:
    """Return the effects that `order_set` would have. Raise `Refused` if it would refuse the order.
    The game must be loaded with its season."""
    refuse_order(game, ranks)
    return _preview(game, adjustments_of(game)._replace(order=tuple(ranks)))


def lift_preview(*, game: Game) -> AdjustmentPreview:
    """Return the effects that `adjustments_lift` would have. Raise `Refused` if the game has no
    adjustments. The game must be loaded with its season."""
    refuse_unadjusted(game)
    return _preview(game, NO_ADJUSTMENTS)


def absent_preview(*, game: Game, seats: Collection[int]) -> AdjustmentPreview:
    """Return the effects that `absent_put_last` would have for these absent `seats`. Raise
    `Refused` if it would refuse the order. The game must be loaded with its season."""
    return order_preview(game=game, ranks=ranks_without(game, seats))


def _with_penalty(adjustments: Adjustments, ending: Ending, seat: int, points: int) -> Adjustments:
    penalties = [adjustments.penalty(number) for number in range(len(ending.rank or ()))]
    penalties[seat] += points
    return adjustments._replace(penalties=tuple(penalties) if any(penalties) else ())


def _preview(game: Game, adjustments: Adjustments) -> AdjustmentPreview:
    ending = ending_played(game)
    players = players_seated(game.season_game.season.club_id, game)
    event = adjusted_effect(game=game, players=players, ending=ending, adjustments=adjustments)
    return AdjustmentPreview(
        adjustment_effects(game=game, ending=ending, adjustments=adjustments), event
    )
