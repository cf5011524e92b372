"""Standing orders, for their owner alone: a page gets those of the seat that looks, and of no
other."""

from __future__ import annotations

from collections.abc import Sequence

from engine.sheet.kniffel.online import KniffelSheet
from games.queries.online_game import online_game
from league.play.online_table.models import OnlineSeat
from league.play.standing_order.domain import believes
from league.play.standing_order.models import StandingOrder


def orders_of(seat: OnlineSeat) -> list[StandingOrder]:
    """Read all orders of a seat, for that seat. One query."""
    return list(StandingOrder.objects.filter(seat=seat).order_by("kind"))


def orders_at(seats: Sequence[OnlineSeat]) -> list[StandingOrder]:
    """Read all orders of these seats, with their seats. One query."""
    return list(
        StandingOrder.objects.filter(seat__in=seats)
        .select_related("seat")
        .order_by("seat__number", "kind")
    )


def will_believe(seat: OnlineSeat) -> bool:
    """Return True if an order of a seat believes what its table is asked now. At most three
    queries."""
    orders = [order for order in orders_of(seat) if order.kind == StandingOrder.OrderKind.BELIEVE]
    if not orders or seat.table.open_game_id is None:
        return False
    sheet = online_game(seat.table.open_game_id).sheet
    return isinstance(sheet, KniffelSheet) and any(believes(order, sheet) for order in orders)


def have_orders(seats: Sequence[OnlineSeat]) -> bool:
    """Return True if one of these seats has given an order. One query."""
    return StandingOrder.objects.filter(seat__in=seats, failed=False).exists()


def orders_shown(seat: OnlineSeat, round_number: int) -> list[StandingOrder]:
    """Read the orders of a seat that hold in a round or the next, or couldn't act in it, for that
    seat. One query."""
    return [
        order
        for order in orders_of(seat)
        if order.round >= round_number or (order.always and not order.failed)
    ]
