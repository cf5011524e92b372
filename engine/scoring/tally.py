"""The tally of a player: the figures of one game, and of many added up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MOST: Final = 2**23
"""Points and ranks are below this, so that averages of them fit a sort key; real games stay far
below it."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Finished games added up, in any order. `Tally()` has no game.

    `wins`: games on rank 1, shared or not. `points`: less the penalties, so they can be below 0.
    `best`: the most points in one game, before penalties. Nothing can be subtracted: to remove a
    game, add up the others.
    """

    games: int = 0
    wins: int = 0
    points: int = 0
    rank_sum: int = 0
    best: int = 0

    def __add__(self, addend: "Tally") -> "Tally":
        return Tally(
            games=self.games + addend.games,
            wins=self.wins + addend.wins,
            points=self.points + addend.points,
            rank_sum=self.rank_sum + addend.rank_sum,
            best=max(self.best, addend.best),
        )


def tally_of_game(rank: int, points: int, penalty: int = 0) -> Tally:
    """Return the tally of one finished game.

    `rank`: from 1, ties shared; `points`: by the ranking's scoring; `penalty`: the points that
    penalties deduct. Raise ValueError if no game can end so.
    """
    return tally_of_games([rank], [points], penalty)


def tally_of_games(ranks: Sequence[int], points: Sequence[int], penalty: int = 0) -> Tally:
    """Return the tally of one or more finished games, from the rank and the points of each.

    `penalty`: the points that penalties deduct in all of them together. Raise ValueError if no game
    can end so.
    """
    if penalty < 0:
        raise ValueError(f"a penalty of {penalty} points takes nothing off")
    # If the least and the most are possible, all between them are.
    for rank, score in ((min(ranks), min(points)), (max(ranks), max(points))):
        if not 0 < rank < MOST or not 0 <= score < MOST:
            raise ValueError(f"no game ends with rank {rank} and {score} points")
    return Tally(
        games=len(ranks),
        wins=ranks.count(1),
        points=sum(points) - penalty,
        rank_sum=sum(ranks),
        best=max(points),
    )
