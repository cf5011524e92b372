"""The points of a finished game in a ranking, seat by seat, whatever the game's own ruleset
counts."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from engine.record.kind import Ending

MOST_PENALTY: Final = 999
"""Points that one seat of one game loses at most by penalties."""


class Scoring(StrEnum):
    """The ways in which a finished game becomes points of a ranking.

    `cntdice`: the dice that had left the game when the seat went out, ruling B13 (B); Bluff only.
    `placement`: one point for each seat left behind, ruling B12 (R, S). `totals`: the points of the
    score sheet, ruling K13 (K); Lügen-Kniffel only."""

    CNTDICE = "cntdice"
    PLACEMENT = "placement"
    TOTALS = "totals"


def game_points(scoring: Scoring, ending: Ending) -> tuple[int, ...] | None:
    """The points of one game in seat order; None while it isn't over, or if it has no points by
    `scoring`.

    `ending`: that of the checker's verdict. Rulings B12 (R, S), B13 (B), K13 (K).
    """
    match scoring:
        case Scoring.CNTDICE:
            return ending.cntdice
        case Scoring.PLACEMENT:
            return None if ending.rank is None else placement(ending.rank)
    return ending.totals


def placement(rank: Sequence[int]) -> tuple[int, ...]:
    """Count for each seat those that finished behind it; who shares a rank isn't behind. Ruling B12
    (R, S)."""
    return tuple([sum(rival > place for rival in rank) for place in rank])


def points_as_ruled(
    points: Sequence[int], rank: Sequence[int], order: Sequence[int]
) -> tuple[int, ...]:
    """Return the points of each seat once an arbiter has put the seats of a game in another order.

    `points` and `rank` are those of the end as it was played, `order` the ranks as ruled, all in
    seat order. A seat on rank 2 has the points that the second place brought; who shares a rank has
    the points of that rank."""
    places = sorted(zip(rank, [-score for score in points], strict=True))
    by_place = [-score for _, score in places]
    return tuple([by_place[ruled - 1] for ruled in order])


def is_ranking(rank: Sequence[int]) -> bool:
    """Return True if these are the ranks of seats, equal ones shared: 1, 2, 2, 4."""
    return all(place == 1 + sum(rival < place for rival in rank) for place in rank)
