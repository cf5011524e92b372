"""Statements, for the pages of a game and of its case: `{% load statements %}`."""

from __future__ import annotations

from django import template

from games.models import Game
from league.core.viewer.permissions import Account

register = template.Library()


@register.simple_tag
def can_speak(game: Game, reader: Account, own_seat: int | None) -> bool:
    """Return True if the reader may make a statement about a game while it is disputed:
    `{% can_speak game reader seat as speaks %}`. No query for a player of the game, or for a
    stranger."""
    if not reader.is_authenticated:
        return False
    return own_seat is not None or reader.has_perm("league.bear_witness", game)
