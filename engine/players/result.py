"""All that the players of a match reached."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.grouping import lists_by_key
from engine.interval import Interval, of_mean, of_share
from engine.players.match import Entrant, Played


class KindResult(NamedTuple):
    """All that one kind of player reached; a kind is a name and a strength, and may sit at several
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
        """Count one more game of the match in."""
        self.games.append((played.rank, played.score))

    def of_kinds(self) -> Iterator[KindResult]:
        """The result of each kind, in the order of the entrants; at least one game is counted."""
        for (name, strength), mine in self.kinds.items():
            ranks = [[rank[i] for i in mine] for rank, _ in self.games]
            scores = [[score[i] for i in mine] for _, score in self.games]
            wins = sum(1 in rank for rank in ranks)
            yield KindResult(
                name=name,
                strength=strength,
                seats=len(mine),
                wins=wins,
                share=of_share(wins, len(ranks)),
                score=of_mean([sum(game) / len(mine) for game in scores]),
                rank=of_mean([sum(game) / len(mine) for game in ranks]),
            )
