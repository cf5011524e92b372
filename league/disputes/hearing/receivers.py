"""Hooks of rankings: an open hearing makes a result provisional."""

from league.disputes.hearing.queries import heard
from league.standings.ranked_game.queries.provisional import provisional_conditions

provisional_conditions.add(heard)
