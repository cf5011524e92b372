"""Disputes, for the page of a game: `{% load disputes %}`."""

from __future__ import annotations

from django import template

from games.models import Game
from league.disputes.ruling.queries import OpenDispute, open_dispute

register = template.Library()


@register.simple_tag
def dispute_of(game: Game, provisional: bool) -> OpenDispute | None:
    """Return the dispute about a game that waits for a ruling: `{% dispute_of game provisional as
    dispute %}`. Three queries; none if the result isn't provisional."""
    return open_dispute(game) if provisional else None
