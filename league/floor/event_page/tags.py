"""Template tags for pages of other nouns that show a running event: `{% load evening %}`."""

from __future__ import annotations

from collections.abc import Mapping

from django import template
from django.utils.translation import gettext, ngettext

from engine.messages import Message
from league.core.player.models import Player
from league.events.entry.models import Entry
from league.floor.my_tables.domain import MyDay, MyTable
from league.floor.my_tables.queries import day_of_entry, next_table_of_player
from league.stages.placing.domain.ranking import points_tonight

register = template.Library()


@register.inclusion_tag("league/floor/my_tables/player_table.html")
def player_table(player: Player) -> dict[str, MyTable | None]:
    """Return the table at which a player plays next, None if there is none: `{% player_table player
    %}`."""
    return {"mine": next_table_of_player(player)}


@register.inclusion_tag("league/floor/event_page/entry_tables.html")
def entry_tables(entry: Entry) -> dict[str, MyDay]:
    """Return the tables of an entry, the next one and the others with their results: `{%
    entry_tables entry %}`."""
    return {"day": day_of_entry(entry)}


@register.simple_tag
def brought(entry: Entry, wins: Mapping[int, int], by_points: bool) -> str:
    """Return what an entry won at a finished event: `9 points tonight · 2 wins`; the points only if
    they decide the places: `{% brought entry wins by_points %}`."""
    final = getattr(entry, "final_rank", None)
    if final is None:
        return ""
    count = wins[entry.pk]
    words = ngettext("%(count)d win", "%(count)d wins", count) % {"count": count}
    return f"{points_tonight(final.points)} · {words}" if by_points else words


@register.filter
def of_entry(messages: Mapping[int, Message], entry: Entry) -> str:
    """Return the message about an entry in the reader's language, empty if there is none: `{{
    levels|of_entry:entry }}`."""
    message = messages.get(entry.pk)
    return message.translated(gettext) if message else ""
