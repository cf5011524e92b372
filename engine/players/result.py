"""The results of the players of a match."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.grouping import lists_by_key
from engine.interval import Interval, of_mean, of_share
from engine.players.match import Entrant, Played


class KindResult(NamedTuple):
    """The result of one kind of player; a kind is a name and a strength, and may have several
    seats.

    `share`: of the games won by one of its seats. `score` and `rank`: the mean over its seats.
    """

    name: str
    strength: float
    seats: int
    wins: int
    share: Interval
    score: Interval
    rank: Interval


class MatchResult:
    """The games of a match so far, by kind of player."""

    def __init__(self, entrants: Sequence[Entrant]) -> None:
        self.kinds = lists_by_key(
            ((entrant.name, entrant.strength), i) for i, entrant in enumerate(entrants)
        )
        self.games: list[tuple[tuple[int, ...], tuple[int, ...]]] = []

    def add(self, played: Played) -> None:
        """Add a game of the match."""
        self.games.append((played.rank, played.score))

    def of_kinds(self) -> Iterator[KindResult]:
        """Yield the result of each kind, in the order of the entrants, after at least one game."""
        for (name, strength), entrants in self.kinds.items():
            seats = len(entrants)
            ranks = [[rank[i] for i in entrants] for rank, _ in self.games]
            scores = [[score[i] for i in entrants] for _, score in self.games]
            wins = sum(1 in rank for rank in ranks)
            yield KindResult(
                name=name,
                strength=strength,
                seats=seats,
                wins=wins,
                share=of_share(wins, len(ranks)),
                score=of_mean([sum(game) / seats for game in scores]),
                rank=of_mean([sum(game) / seats for game in ranks]),
            )
