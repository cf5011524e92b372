"""Seats by their number, as the engine speaks of them."""

from collections.abc import Sequence
from typing import TypeVar

from django import template

register = template.Library()

T = TypeVar("T")


@register.filter
def seat(seats: Sequence[T], number: int) -> T:
    """The seat of that number, counted from 0: `{% with bidder=seats|seat:round.bidder %}`."""
    return seats[number]
