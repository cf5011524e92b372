"""What arbiters from outside are shown by nouns of lower wings."""

from league.disputes.arbiter.queries import cases_of_arbiter
from league.standings.season.queries.access import cases_shown_to

cases_shown_to.add(cases_of_arbiter)
