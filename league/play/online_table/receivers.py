"""What online tables tell lower wings."""

from __future__ import annotations

from league.core.player.models import Player
from league.play.online_table.queries import finished_games
from league.standings.player.web.player import online_games_of


@online_games_of.add
def finished_games_of(player: Player) -> tuple[int, int]:
    """How many games a player has finished at online tables, of how many."""
    return finished_games(player)
