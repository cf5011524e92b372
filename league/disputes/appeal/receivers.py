"""Hooks of rankings: an open appeal makes a result provisional."""

from league.disputes.appeal.queries import appealed
from league.standings.ranked_game.queries.provisional import provisional_conditions

provisional_conditions.add(appealed)
