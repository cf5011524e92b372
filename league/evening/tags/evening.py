"""What pages of other rooms show of an evening that goes on: `{% load evening %}`."""

from __future__ import annotations

from django import template

from league.clubs.models import Player
from league.entries.models import Entry
from league.evening.domain.day import MyDay, MyTable
from league.evening.queries.day import day_of_entry, next_table_of_player

register = template.Library()


@register.inclusion_tag("league/evening/player_table.html")
def player_table(player: Player) -> dict[str, MyTable | None]:
    """The table at which a player plays next: `{% player_table player %}`; nothing without one."""
    return {"mine": next_table_of_player(player)}


@register.inclusion_tag("league/evening/entry_tables.html")
def entry_tables(entry: Entry) -> dict[str, MyDay]:
    """The tables of an entry, the next one on top, with what came of the others: `{% entry_tables entry %}`."""
    return {"day": day_of_entry(entry)}
