"""Arbiters from outside, for pages of other nouns: `{% load arbiters %}`."""

from __future__ import annotations

from django import template

from games.models import Game
from league.core.viewer.permissions import Account
from league.disputes.arbiter.models import ArbiterInvitation
from league.disputes.arbiter.queries import cases_to_rule, rulers_of

register = template.Library()


@register.simple_tag
def arbiter_cases(reader: Account) -> list[ArbiterInvitation]:
    """Return the cases on which the reader rules because the seats agreed: `{% arbiter_cases
    request.user as cases %}`. One query; none for readers who aren't signed in."""
    return cases_to_rule(reader)


@register.simple_tag
def club_can_rule(game: Game) -> bool:
    """Return True if an arbiter or organiser of the club or event took no part in a game:
    `{% club_can_rule game as can %}`."""
    return bool(rulers_of(game))
