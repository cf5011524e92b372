"""Calls for the arbiter, for pages of the desk: `{% load calls %}`."""

from __future__ import annotations

from django import template

from league.core.club.models import Club
from league.disputes.call.queries import calls_count

register = template.Library()


@register.simple_tag
def calls_waiting(club: Club) -> int:
    """Return the number of open calls in a club: `{% calls_waiting club as count %}`. One query."""
    return calls_count(club)
