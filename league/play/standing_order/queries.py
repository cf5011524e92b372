"""Queries of standing orders. They are secret: a page shows only the orders of the seat that reads
it.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.sheet.kniffel.online import KniffelSheet
from games.queries.online_game import online_game
from league.play.online_table.models import OnlineSeat
from league.play.standing_order.domain import believes
from league.play.standing_order.models import StandingOrder


def orders_of(seat: OnlineSeat) -> list[StandingOrder]:
    """Return all orders of a seat, to be shown to that seat alone. One query."""
    return list(StandingOrder.objects.filter(seat=seat).order_by("kind"))


def orders_at(seats: Sequence[OnlineSeat]) -> list[StandingOrder]:
    """Return all orders of these seats, with their seats. One query."""
    return list(
        StandingOrder.objects.filter(seat__in=seats)
        .select_related("seat")
        .order_by("seat__number", "kind")
    )


def will_believe(seat: OnlineSeat) -> bool:
    """Return True if an order of a seat believes the current announcement at its table. At most
    three queries.
    """
    kind = StandingOrder.OrderKind.BELIEVE
    orders = [order for order in orders_of(seat) if order.kind == kind]
    if not orders or seat.table.open_game_id is None:
        return False
    sheet = online_game(seat.table.open_game_id).sheet
    if not isinstance(sheet, KniffelSheet):
        return False
    return any(believes(order, sheet) for order in orders)


def have_orders(seats: Sequence[OnlineSeat]) -> bool:
    """Return True if at least one of these seats has given an order. One query."""
    return StandingOrder.objects.filter(seat__in=seats, failed=False).exists()


def orders_shown(seat: OnlineSeat, round_number: int) -> list[StandingOrder]:
    """Return the orders of a seat that hold in this round or a later one, or couldn't act in this
    round, to be shown to that seat alone. One query.
    """
    return [order for order in orders_of(seat) if _is_shown(order, round_number)]


def _is_shown(order: StandingOrder, round_number: int) -> bool:
    if order.always and not order.failed:
        return True
    return order.round >= round_number
