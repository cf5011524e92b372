"""The receivers of online tables: answers to hooks of lower wings."""

from __future__ import annotations

from league.core.player.models import Player
from league.play.online_table.queries import finished_games
from league.standings.player.web.player import online_games_of


@online_games_of.add
def finished_games_of(player: Player) -> tuple[int, int]:
    """Return how many online games a player has finished, and in how many finished games they
    sat.
    """
    return finished_games(player)
