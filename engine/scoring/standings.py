"""The table of a ranking: tallies in the order of its criteria, with shared ranks."""

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
    """A criterion that a table is ordered by; the first of a ranking's criteria ranks, the others
    break ties.

    More is better, except for the average rank. More games are better: who turned up more often is
    ahead."""

    POINTS = "points"
    WINS = "wins"
    POINTS_PER_GAME = "points_per_game"
    AVERAGE_RANK = "average_rank"
    BEST_GAME = "best_game"
    GAMES = "games"


SortKey: TypeAlias = tuple[int, ...]
AVERAGE_BITS: Final = 40
LAST: Final = -(2**63)
"""In the sort key of who has no game: behind every figure that there can be."""


class Standing(NamedTuple, Generic[K]):
    """One row of a table.

    `decided_by`: the tie-break that put this row behind the one above it; None where none was
    needed, because the first criterion did it or both share the rank."""

    rank: int
    player: K
    tally: Tally
    decided_by: Criterion | None


def _average(total: int, games: int) -> int:
    """`total / games` as a whole number of parts of 2^-40, rounded down."""
    return (total << AVERAGE_BITS) // games


FIGURES: Final[dict[Criterion, Callable[[Tally], int]]] = {
    Criterion.POINTS: attrgetter("points"),
    Criterion.WINS: attrgetter("wins"),
    Criterion.POINTS_PER_GAME: lambda tally: _average(tally.points, tally.games),
    Criterion.AVERAGE_RANK: lambda tally: _average(-tally.rank_sum, tally.games),
    Criterion.BEST_GAME: attrgetter("best"),
    Criterion.GAMES: attrgetter("games"),
}
"""The whole number that each criterion compares, larger for the better, of a tally with games."""


def sort_key(tally: Tally, order: Sequence[Criterion]) -> SortKey:
    """The key that sorts a row in its table: a whole number for each criterion of `order`, larger
    is better.

    Every number fits a signed integer of 64 bits, and a row's key depends on nothing but the row,
    so that a database can store it and compare rows by it. Who has no game sorts last.

    An average is kept as floor(total × 2^40 / games). That is exact up to 2^20 games: two averages
    over so many games that aren't equal differ by at least 1 / (2^20 × 2^20), which is one whole
    part, so their floors differ in the same direction; and it fits 64 bits because no game brings
    2^23 points or rank 2^23 (`tally_of_game` refuses it)."""
    return (
        tuple([FIGURES[criterion](tally) for criterion in order])
        if tally.games
        else (LAST,) * len(order)
    )


def decided_by(above: SortKey, key_below: SortKey, order: Sequence[Criterion]) -> Criterion | None:
    """The tie-break of `order` that put the row with the key `key_below` behind the one above it.

    None where the first criterion did it, or where the keys are equal and both rows share the rank.
    """
    if above[0] != key_below[0] or above == key_below:
        return None
    return next(
        criterion
        for criterion, its, mine in zip(order, above, key_below, strict=True)
        if its != mine
    )


def table(tallies: Mapping[K, Tally], order: Sequence[Criterion]) -> list[Standing[K]]:
    """The table from best to worst; who equals another by every criterion shares the rank (1, 2, 2,
    4).

    Players who share a rank stand in the order of their keys, so the same tallies always give the
    same table."""
    players = sorted(tallies)
    keys = [sort_key(tallies[player], order) for player in players]
    places = sorted(range(len(players)), key=keys.__getitem__, reverse=True)
    standings: list[Standing[K]] = []
    rank, above = 1, keys[places[0]] if places else ()
    for place, number in enumerate(places, start=1):
        key_below, player = keys[number], players[number]
        rank = rank if key_below == above else place
        standings.append(
            Standing(rank, player, tallies[player], decided_by(above, key_below, order))
        )
        above = key_below
    return standings
