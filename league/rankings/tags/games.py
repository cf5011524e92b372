"""Games in lists: who sat there."""

from collections.abc import Iterable

from django import template

from league.rankings.domain.gameline import SeatLine

register = template.Library()


@register.filter
def names_but(seats: Iterable[SeatLine], player: str) -> str:
    """Tell who sat at a table besides one player: `{{ game.seats|names_but:row.player }}` is “Ben, Cleo”."""
    return ", ".join(seat["name"] for seat in seats if seat["player"] != player)
