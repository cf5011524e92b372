"""The players whom a page offers for a game that is played at no table."""

from __future__ import annotations

from typing import Final

from league.core.player.models import Player
from league.core.player.queries.player import listed_players
from league.standings.ranked_game.models import Appearance
from league.standings.season.models import Season

FACES: Final = 18
"""The number of players who can be chosen by one tap; others are typed in."""
SEATS: Final = 6 * FACES
"""The number of seats of the latest games to look at."""


def faces_of(season: Season) -> list[Player]:
    """Return the players to offer for the next game of a season: first those who played last, then
    others by name. Two queries."""
    latest = Appearance.objects.filter(ranking=season.ranking_id).order_by("-game", "seat")
    players: dict[int, Player] = {}
    for appearance in latest.select_related("player__merged_into")[:SEATS]:
        player = appearance.player.merged_into or appearance.player
        players.setdefault(player.pk, player)
    for player in listed_players(season.club)[:FACES]:
        players.setdefault(player.pk, player)
    return list(players.values())[:FACES]
