"""The table of a season: tallies in the order of its criteria, with shared ranks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Generic, Protocol, Self, TypeVar

from engine.scoring.tally import Tally


class Sortable(Protocol):
    """What identifies a player: a number or a text."""

    def __lt__(self, other: Self, /) -> bool: ...

    def __hash__(self) -> int: ...


K = TypeVar("K", bound=Sortable)


class Criterion(StrEnum):
    """What a table is ordered by; the first of a season's criteria ranks, the others break ties.

    More is better, except for the average rank. More games are better: who turned up more often is ahead.
    """

    POINTS = "points"
    WINS = "wins"
    POINTS_PER_GAME = "points_per_game"
    AVERAGE_RANK = "average_rank"
    BEST_GAME = "best_game"
    GAMES = "games"


@dataclass(frozen=True, slots=True)
class Line(Generic[K]):
    """One row of a table.

    `decided_by`: the tie-break that put this row behind the one above it; None where none was needed, because
    the first criterion did it or both share the rank.
    """

    rank: int
    player: K
    tally: Tally
    decided_by: Criterion | None


def value(criterion: Criterion, tally: Tally) -> Fraction | None:
    """The exact figure that a criterion compares; None before the first game, where there is none to show."""
    match criterion:
        case Criterion.POINTS:
            return Fraction(tally.points)
        case Criterion.WINS:
            return Fraction(tally.wins)
        case Criterion.GAMES:
            return Fraction(tally.games)
        case Criterion.POINTS_PER_GAME:
            return Fraction(tally.points, tally.games) if tally.games else None
        case Criterion.AVERAGE_RANK:
            return Fraction(tally.rank_sum, tally.games) if tally.games else None
        case _:  # BEST_GAME
            return Fraction(tally.best) if tally.games else None


def table(tallies: Mapping[K, Tally], order: Sequence[Criterion]) -> list[Line[K]]:
    """The table from best to worst; who equals another by every criterion shares the rank (1, 2, 2, 4).

    Players who share a rank stand in the order of their keys, so the same tallies always give the same table.
    """
    keys = {player: [_key(criterion, tally) for criterion in order] for player, tally in tallies.items()}
    lines: list[Line[K]] = []
    for place, player in enumerate(sorted(keys, key=lambda player: (keys[player], player)), start=1):
        rank, decided_by = place, None
        if lines:
            above = lines[-1]
            apart = _first_difference(keys[above.player], keys[player])
            rank = above.rank if apart is None else place
            decided_by = order[apart] if apart else None
        lines.append(Line(rank, player, tallies[player], decided_by))
    return lines


def _key(criterion: Criterion, tally: Tally) -> tuple[bool, Fraction]:
    """Sorts the better one first, and those without a figure last."""
    figure = value(criterion, tally)
    if figure is None:
        return True, Fraction(0)
    return False, figure if criterion is Criterion.AVERAGE_RANK else -figure


def _first_difference(one: Sequence[object], other: Sequence[object]) -> int | None:
    return next((place for place, (a, b) in enumerate(zip(one, other, strict=True)) if a != b), None)
