"""Seats by their number, as the engine speaks of them."""

from collections.abc import Sequence
from typing import TypeVar

from django import template

register = template.Library()

Seat = TypeVar("Seat")


@register.filter
def seat(seats: Sequence[Seat], number: int) -> Seat:
    """The seat of that number, counted from 0: `{% with bidder=seats|seat:round.bidder %}`."""
    return seats[number]
