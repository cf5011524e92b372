"""The order of a game's seats: an arbiter sets it, or restores the one that was played."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from engine.scoring.points import is_ranking
from games.models import Game, Seat
from league.core.log.services import Actor
from league.stages.adjustment.domain import seats_put_last
from league.stages.adjustment.queries import ranks_counting
from league.stages.adjustment.services.adjusting import adjusting, refuse_unadjustable
from league.standings.adjustment.models import SET_ORDER, SetOrder
from league.standings.adjustment.queries import standing_order
from league.standings.ranked_game.actions import GameAction

MESSAGES: Final[dict[str, Message]] = {
    "bad_order": say("an order ranks each seat once, and ties share a rank, as in 1, 2, 2, 4"),
    "order_unchanged": say("the players of this game already count in that order"),
    "no_order": say("nobody has set an order for this game"),
    "no_seat": say("this game has no such seat"),
    "nobody_there": say("at least one player must have been there"),
}


def order_set(*, game: Game, ranks: Sequence[int], actor: Actor, role: str = "") -> SetOrder:
    """Let the seats of a game count in another order than the one in which they finished: `ranks`
    from 1, by seat.

    Its stage, brackets, rankings and ratings follow; points go with the places. The sealed game
    doesn't change. `role` is the role in which it is decided, if it isn't one in the club. Raise
    `Refused` with `conflict`, `voided`, `not_over`, `bad_order` or `order_unchanged`.
    """
    with adjusting(game, actor, role) as (journal, role_taken):
        refuse_order(game, ranks)
        order = SetOrder.objects.create(
            game=game,
            number=1 + SetOrder.objects.filter(game=game).count(),
            ranks=list(ranks),
            role=role_taken,
            made_at=journal.at,
            made_by_id=actor.account_id,
        )
        details = {"number": order.number, "ranks": list(ranks), "role": role_taken}
        journal.add(GameAction.ORDER_SET, game.public_id, details)
        journal.record(SET_ORDER, [order])
    return order


def order_lift(*, game: Game, actor: Actor, role: str = "") -> SetOrder:
    """Let the seats of a game count again in the order in which they finished; return the new fact.

    Raise `Refused` with `conflict`, `voided` or `no_order`.
    """
    with adjusting(game, actor, role) as (journal, role_taken):
        refuse_order_lift(game)
        order = SetOrder.objects.create(
            game=game,
            number=1 + SetOrder.objects.filter(game=game).count(),
            ranks=None,
            role=role_taken,
            made_at=journal.at,
            made_by_id=actor.account_id,
        )
        journal.add(
            GameAction.ORDER_LIFTED, game.public_id, {"number": order.number, "role": role_taken}
        )
        journal.record(SET_ORDER, [order])
    return order


def absent_put_last(
    *, game: Game, seats: Collection[int], actor: Actor, role: str = ""
) -> SetOrder:
    """Let the seats (from 0) of absent players share the last place of a game; the others keep
    their order ahead of them.

    Raise `Refused` with `conflict`, `voided`, `not_over`, `no_seat`, `nobody_there` (all seats
    would be last) or `order_unchanged`.
    """
    return order_set(game=game, ranks=ranks_without(game, seats), actor=actor, role=role)


def ranks_without(game: Game, seats: Collection[int]) -> tuple[int, ...]:
    """Return the ranks of a game once these seats share its last place. Raise `Refused` with
    `conflict`, `voided`, `not_over`, `no_seat` or `nobody_there`."""
    refuse_unadjustable(game)
    count = Seat.objects.filter(game=game).count()
    if not seats or not set(seats) <= set(range(count)):
        raise _refusal("no_seat", "seats")
    if len(set(seats)) == count:
        raise _refusal("nobody_there", "seats")
    return seats_put_last(ranks_counting(game), seats)


def refuse_order(game: Game, ranks: Sequence[int]) -> None:
    """Raise `Refused` (`conflict`, `voided`, `not_over`, `bad_order`, `order_unchanged`) if this
    order can't be set."""
    refuse_unadjustable(game)
    if len(ranks) != Seat.objects.filter(game=game).count() or not is_ranking(ranks):
        raise _refusal("bad_order", "ranks")
    if tuple(ranks) == ranks_counting(game):
        raise _refusal("order_unchanged", "ranks")


def refuse_order_lift(game: Game) -> None:
    """Raise `Refused` (`conflict`, `voided`, `not_over`, `no_order`) if a game has no set order
    that can be lifted."""
    refuse_unadjustable(game)
    if standing_order(game) is None:
        raise _refusal("no_order")


def _refusal(code: str, path: str | None = None) -> Refused:
    return Refused(Illegal(code, MESSAGES[code], path=path))
