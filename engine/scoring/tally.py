"""The tally of a player: one game's figures, and those of many added up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MOST: Final = 2**23
"""Points and ranks are below this, so that averages of them fit a sort key; the rules stay far
below it, too."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Finished games added up; the order they come in doesn't matter. `Tally()` is the one of no
    game.

    `wins`: games on rank 1, shared or not. `points`: less the penalties, so they can be below 0.
    `best`: most points in one game, whatever penalties took off. Nothing can be subtracted: to take
    a game out, add up the rest."""

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
    """The tally of one finished game: the rank from 1, shared ones alike, the points by the
    ranking's scoring, and the points that penalties take off.

    ValueError: no game ends so.
    """
    return tally_of_games([rank], [points], penalty)


def tally_of_games(ranks: Sequence[int], points: Sequence[int], penalty: int = 0) -> Tally:
    """The tally of one or more finished games: of each the rank and the points, as of one;
    `penalty`: the points that penalties take off in all of them together.

    ValueError: no game ends so.
    """
    if penalty < 0:
        raise ValueError(f"a penalty of {penalty} points takes nothing off")
    for rank, brought in ((min(ranks), min(points)), (max(ranks), max(points))):
        if not 0 < rank < MOST or not 0 <= brought < MOST:
            raise ValueError(f"no game ends with rank {rank} and {brought} points")
    return Tally(len(ranks), ranks.count(1), sum(points) - penalty, sum(ranks), max(points))
