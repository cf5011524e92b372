"""Standing orders, for their owner alone: a page gets those of the seat that looks, and of no other."""

from __future__ import annotations

from collections.abc import Sequence

from league.play.online_table.models import OnlineSeat
from league.play.standing_order.domain import holds
from league.play.standing_order.models import StandingOrder


def orders_of(seat: OnlineSeat) -> list[StandingOrder]:
    """Read all orders of a seat, for that seat. One query."""
    return list(StandingOrder.objects.filter(seat=seat).order_by("kind"))


def have_orders(seats: Sequence[OnlineSeat]) -> bool:
    """Return True if one of these seats has given an order. One query."""
    return StandingOrder.objects.filter(seat__in=seats, failed=False).exists()


def orders_shown(seat: OnlineSeat, round_number: int) -> list[StandingOrder]:
    """Read the orders of a seat that hold in a round or couldn't act in it, for that seat. One query."""
    return [
        order
        for order in orders_of(seat)
        if holds(order, round_number) or (order.failed and order.round == round_number)
    ]
