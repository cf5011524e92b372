"""The points of a finished game in a ranking by seat, regardless of the game's own scoring."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from engine.record.kind import Ending

MOST_PENALTY: Final = 999
"""The most points that one seat of one game can lose by penalties."""


class Scoring(StrEnum):
    """The ways in which a finished game becomes points of a ranking.

    `cntdice`: the dice that had left the game when the seat was eliminated, ruling B13; Bluff
    only. `placement`: one point for each seat left behind, ruling B12. `totals`: the points
    of the score sheet, ruling K13; Lügen-Kniffel only.
    """

    CNTDICE = "cntdice"
    PLACEMENT = "placement"
    TOTALS = "totals"


def game_points(scoring: Scoring, ending: Ending) -> tuple[int, ...] | None:
    """Return the points of a game in seat order by a scoring.

    `ending`: that of the checker's verdict. None while the game isn't over, or if it has no points
    by this scoring.
    """
    match scoring:
        case Scoring.CNTDICE:
            return ending.cntdice
        case Scoring.PLACEMENT:
            return None if ending.rank is None else placement(ending.rank)
    return ending.totals


def placement(rank: Sequence[int]) -> tuple[int, ...]:
    """Return for each seat how many seats finished behind it; seats on the same rank don't
    count."""
    return tuple([sum(rival > place for rival in rank) for place in rank])


def points_as_ruled(
    points: Sequence[int], rank: Sequence[int], order: Sequence[int]
) -> tuple[int, ...]:
    """Return the points of each seat once an arbiter has changed the order of a game's seats.

    `points` and `rank` are those of the game as played, `order` the ranks as ruled, all in seat
    order. A seat on rank 2 gets the points of the second place; seats that share a rank get the
    points of that rank.
    """
    in_order = sorted(zip(rank, points, strict=True), key=lambda seat: (seat[0], -seat[1]))
    points_by_place = [score for _, score in in_order]
    return tuple([points_by_place[ruled - 1] for ruled in order])


def is_ranking(rank: Sequence[int]) -> bool:
    """Return True if these are valid ranks of seats, ties shared: 1, 2, 2, 4."""
    return all(place == 1 + sum(rival < place for rival in rank) for place in rank)
