"""Tables tell rankings for whom their seats count, and have them rebuilt when that changes."""

from league.events.entry.services.entry import entry_counts_changed
from league.stages.table.queries.seats import games_for, seats_for_others
from league.stages.table.services.seats import season_recount
from league.standings.ranked_game.queries.seats import games_played_for, players_played_for

entry_counts_changed.add(season_recount)
games_played_for.add(games_for)
players_played_for.add(seats_for_others)
