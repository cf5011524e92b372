"""What pages of other rooms show of an evening that goes on: `{% load evening %}`."""

from __future__ import annotations

from django import template

from league.clubs.models import Player
from league.evening.domain.day import MyTable
from league.evening.queries.day import next_table_of_player

register = template.Library()


@register.inclusion_tag("league/evening/player_table.html")
def player_table(player: Player) -> dict[str, MyTable | None]:
    """The table at which a player plays next: `{% player_table player %}`; nothing without one."""
    return {"mine": next_table_of_player(player)}
