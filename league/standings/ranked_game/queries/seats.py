"""Which players the seats count for in the ranking of a season. A ranking knows no entries, so
higher wings say it.

Rankings other than a season's own count a game for the players who sat there."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, TypeAlias

from django.db.models import QuerySet

from games.models import Game
from league.core.hooks import Hook

Others: TypeAlias = Mapping[int, Mapping[int, int | None]]
"""By game id, the players who don't play for themselves, each with the player for whom they play;
None for nobody. All by row id."""


players_played_for: Final = Hook[[Sequence[int]], Others]()
"""The players in games, given by their ids, who don't play for themselves."""
games_played_for: Final = Hook[[Collection[int]], QuerySet[Game]]()
"""The games with a seat that counts for one of these players, who needn't have sat there."""


def seats_for_others(games: Sequence[int]) -> Others:
    """Return the players in games, given by their ids, whose seats don't count for themselves.
    Leave out games without such a player."""
    if not games:
        return {}
    played_for: dict[int, Mapping[int, int | None]] = {}
    for others in players_played_for(games):
        played_for.update(others)
    return played_for


def games_counting_for(players: Collection[int]) -> list[QuerySet[Game]]:
    """Return queries of the games in which somebody else's seat counts for one of these players,
    given by ids."""
    return games_played_for(players)
