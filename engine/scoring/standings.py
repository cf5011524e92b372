"""The table of a ranking: tallies sorted by its criteria, with shared ranks."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from operator import attrgetter
from typing import Final, Generic, NamedTuple, Protocol, Self, TypeAlias, TypeVar

from engine.scoring.tally import Tally


class Sortable(Protocol):
    """The identity of a player: a number or a text."""

    def __lt__(self, other: Self, /) -> bool: ...

    def __hash__(self) -> int: ...


K = TypeVar("K", bound=Sortable)


class Criterion(StrEnum):
    """A criterion of a table: the first one of a ranking ranks, the others break ties.

    More is better, except for the average rank. More games are better: a player who came more often
    is ahead.
    """

    POINTS = "points"
    WINS = "wins"
    POINTS_PER_GAME = "points_per_game"
    AVERAGE_RANK = "average_rank"
    BEST_GAME = "best_game"
    GAMES = "games"


SortKey: TypeAlias = tuple[int, ...]
AVERAGE_BITS: Final = 40
LAST: Final = -(2**63)
"""In the sort key of a player without a game: below every possible figure."""


class Standing(NamedTuple, Generic[K]):
    """A row of a table.

    `decided_by`: the tie-break that put this row behind the one above it; None if none was needed,
    because the first criterion decided or both share the rank.
    """

    rank: int
    player: K
    tally: Tally
    decided_by: Criterion | None


def _average(total: int, games: int) -> int:
    """Return `total / games` in whole units of 2^-40, rounded down."""
    return (total << AVERAGE_BITS) // games


def _points_per_game(tally: Tally) -> int:
    return _average(tally.points, tally.games)


def _average_rank(tally: Tally) -> int:
    return _average(-tally.rank_sum, tally.games)


FIGURES: Final[dict[Criterion, Callable[[Tally], int]]] = {
    Criterion.POINTS: attrgetter("points"),
    Criterion.WINS: attrgetter("wins"),
    Criterion.POINTS_PER_GAME: _points_per_game,
    Criterion.AVERAGE_RANK: _average_rank,
    Criterion.BEST_GAME: attrgetter("best"),
    Criterion.GAMES: attrgetter("games"),
}
"""For each criterion the whole number it compares, of a tally with games; larger is better."""


def sort_key(tally: Tally, order: Sequence[Criterion]) -> SortKey:
    """Return the key that sorts a row: a whole number for each criterion, larger is better.

    Every number fits a signed integer of 64 bits, and a row's key depends only on the row, so that
    a database can store it and compare rows by it. A player without a game sorts last.

    An average is kept as floor(total × 2^40 / games). That is exact up to 2^20 games: two different
    averages over that many games differ by at least 1 / (2^20 × 2^20), which is one whole unit, so
    their floors differ in the same direction; and it fits 64 bits because no game has 2^23 points
    or rank 2^23 (`tally_of_game` refuses it).
    """
    if not tally.games:
        return (LAST,) * len(order)
    return tuple([FIGURES[criterion](tally) for criterion in order])


def decided_by(
    key_above: SortKey, key_below: SortKey, order: Sequence[Criterion]
) -> Criterion | None:
    """Return the tie-break of `order` that put a row behind the one above it.

    None if the first criterion decided, or if the keys are equal and both rows share the rank.
    """
    if key_above[0] != key_below[0] or key_above == key_below:
        return None
    compared = zip(order, key_above, key_below, strict=True)
    return next(criterion for criterion, more, less in compared if more != less)


def table(tallies: Mapping[K, Tally], order: Sequence[Criterion]) -> list[Standing[K]]:
    """Return the table from best to worst.

    Players equal by every criterion share the rank, as in 1, 2, 2, 4. They are sorted by their
    identity, the key in `tallies`, so the same tallies always give the same table.
    """
    players = sorted(tallies)
    keys = [sort_key(tallies[player], order) for player in players]
    best_first = sorted(range(len(players)), key=keys.__getitem__, reverse=True)
    standings: list[Standing[K]] = []
    rank = 1
    key_above = keys[best_first[0]] if best_first else ()
    for place, number in enumerate(best_first, start=1):
        key = keys[number]
        player = players[number]
        if key != key_above:
            rank = place
        tie_break = decided_by(key_above, key, order)
        standings.append(Standing(rank, player, tallies[player], tie_break))
        key_above = key
    return standings
