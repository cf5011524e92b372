"""Open cases, for the desk's menu and the browser's tab: `{% load cases %}`."""

from __future__ import annotations

from collections.abc import Sequence

from django import template

from league.core.club.models import Club
from league.disputes.case.queries.waiting import Waiting, cases_open

register = template.Library()


@register.simple_tag
def cases_waiting(club: Club) -> int:
    """Return how many objections, hearings and appeals of a club wait for a ruling:
    `{% cases_waiting club as count %}`. One query."""
    return cases_open(club)


@register.simple_tag
def tab_count(rulings: Sequence[Waiting] | str | None) -> str:
    """Return the amount of work that waits for an arbiter, for the title of the browser's tab, such
    as “(2) ”; empty if no work waits. `rulings`: the result of `waiting_rulings`; a page may lack
    it."""
    count = sum(waiting.count for waiting in rulings or () if isinstance(waiting, Waiting))
    return f"({count}) " if count else ""
