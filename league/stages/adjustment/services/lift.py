"""Undoing all penalties and the set order of a game."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from games.models import Game
from league.core.log.services import Actor
from league.stages.adjustment.services.adjusting import refuse_unadjustable
from league.stages.adjustment.services.order import order_lift
from league.stages.adjustment.services.penalty import penalty_lift
from league.standings.adjustment.domain import NO_ADJUSTMENTS
from league.standings.adjustment.queries import adjustments_of, standing_order, standing_penalties

NOTHING: Final[Message] = say("this game has no penalty and no set order")


@transaction.atomic
def adjustments_lift(*, game: Game, actor: Actor, role: str = "") -> None:
    """Give back all penalty points of a game, and let its seats count in the order in which they
    finished.

    `role` is the role in which it is decided, if it isn't one in the club. Raise `Refused` with
    `conflict`, `voided`, `not_over` or `nothing_to_lift`.
    """
    refuse_unadjusted(game)
    for penalty in standing_penalties(game):
        penalty_lift(penalty=penalty, actor=actor, role=role)
    if standing_order(game) is not None:
        order_lift(game=game, actor=actor, role=role)


def refuse_unadjusted(game: Game) -> None:
    """Raise `Refused` (`conflict`, `voided`, `not_over`, `nothing_to_lift`) if a game has no
    adjustments that can be lifted."""
    refuse_unadjustable(game)
    if adjustments_of(game) == NO_ADJUSTMENTS:
        raise Refused(Illegal("nothing_to_lift", NOTHING))
