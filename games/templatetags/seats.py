"""Seats by their number, as the engine counts them."""

from collections.abc import Sequence
from typing import TypeVar

from django import template

register = template.Library()

T = TypeVar("T")


@register.filter
def seat(seats: Sequence[T], number: int) -> T:
    """Return the seat with a number from 0: `{% with bidder=seats|seat:round.bidder %}`."""
    return seats[number]
