"""Hooks of lower wings: arbiters from outside see the games on which they rule."""

from league.disputes.arbiter.queries import cases_of_arbiter
from league.standings.season.queries.access import cases_shown_to

cases_shown_to.add(cases_of_arbiter)
