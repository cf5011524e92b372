"""The points of a finished game in a ranking, seat by seat, whatever the game's own ruleset counts."""

from collections.abc import Sequence
from enum import StrEnum

from engine.record.kind import Ending


class Scoring(StrEnum):
    """The ways in which a finished game becomes points of a ranking.

    `cntdice`: the dice that had left the game when the seat went out, ruling B13 (B); Bluff only. `placement`: one
    point for each seat left behind, ruling B12 (R, S). `totals`: the points of the score sheet, ruling K13 (K);
    Lügen-Kniffel only.
    """

    CNTDICE = "cntdice"
    PLACEMENT = "placement"
    TOTALS = "totals"


def game_points(scoring: Scoring, ending: Ending) -> tuple[int, ...] | None:
    """The points of one game in seat order; None while it isn't over, or if it has no points by `scoring`.

    `ending`: that of the checker's verdict. Rulings B12 (R, S), B13 (B), K13 (K).
    """
    match scoring:
        case Scoring.CNTDICE:
            return ending.cntdice
        case Scoring.PLACEMENT:
            return None if ending.rank is None else placement(ending.rank)
    return ending.totals


def placement(rank: Sequence[int]) -> tuple[int, ...]:
    """Count for each seat those that finished behind it; who shares a rank isn't behind. Ruling B12 (R, S)."""
    return tuple([sum(rival > place for rival in rank) for place in rank])
