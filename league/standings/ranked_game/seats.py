"""For whom seats count in the ranking of a season: a ranking knows no entries, so rooms above say it here.

Rankings other than a season's own count a game for who sat there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from django.db.models import QuerySet

from games.models import Game

Others: TypeAlias = Mapping[int, Mapping[int, int | None]]
"""By the id of a game, of the players in it who don't play for themselves, the one for whom they do; None: nobody."""


class SeatSource(NamedTuple):
    """A room that knows for whom seats count: `of_games` tells it of games, by their ids; `for_players` gives the games
    in which a seat counts for one of these players, who needn't have sat there."""

    of_games: Callable[[Sequence[int]], Others]
    for_players: Callable[[Collection[int]], QuerySet[Game]]


SOURCES: Final[list[SeatSource]] = []


def register(source: SeatSource) -> None:
    """Let a room say for whom seats count."""
    SOURCES.append(source)


def seats_for_others(games: Sequence[int]) -> Others:
    """The players in games, by their ids, whose seats don't count for themselves; a game without one isn't in it."""
    return {game: seats for source in SOURCES for game, seats in source.of_games(games).items()} if games else {}


def games_counting_for(players: Collection[int]) -> list[QuerySet[Game]]:
    """The games in which somebody else's seat counts for one of these players, by their ids."""
    return [source.for_players(players) for source in SOURCES]
