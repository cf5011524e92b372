"""For whom seats count in the ranking of a season: a ranking knows no entries, so higher wings say
it.

Rankings other than a season's own count a game for who sat there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, TypeAlias

from django.db.models import QuerySet

from games.models import Game
from league.core.hooks import Hook

Others: TypeAlias = Mapping[int, Mapping[int, int | None]]
"""By the id of a game, of the players in it who don't play for themselves, the one for whom they
do; None: nobody."""


players_played_for: Final = Hook[[Sequence[int]], Others]()
"""Of games, by their ids, the players who don't play for themselves."""
games_played_for: Final = Hook[[Collection[int]], QuerySet[Game]]()
"""The games in which a seat counts for one of these players, who needn't have sat there."""


def seats_for_others(games: Sequence[int]) -> Others:
    """The players in games, by their ids, whose seats don't count for themselves; a game without
    one isn't in it."""
    return (
        {game: seats for others in players_played_for(games) for game, seats in others.items()}
        if games
        else {}
    )


def games_counting_for(players: Collection[int]) -> list[QuerySet[Game]]:
    """The games in which somebody else's seat counts for one of these players, by their ids."""
    return games_played_for(players)
