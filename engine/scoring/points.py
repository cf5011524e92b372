"""What a finished game brings each seat in a ranking, whatever the game's own ruleset counts."""

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeAlias

SeatFigures: TypeAlias = Sequence[int] | None
"""A whole number for each seat, in seat order; None where the record doesn't tell them or the game isn't over."""


class Scoring(StrEnum):
    """How a finished game becomes points of a ranking.

    `cntdice`: the dice that had left the game when the seat went out, ruling B13 (B); Bluff only. `placement`: one
    point for each seat left behind, ruling B12 (R, S). `totals`: the points of the score sheet, ruling K13 (K);
    Lügen-Kniffel only.
    """

    CNTDICE = "cntdice"
    PLACEMENT = "placement"
    TOTALS = "totals"


def game_points(
    scoring: Scoring, *, rank: SeatFigures, cntdice: SeatFigures, totals: SeatFigures
) -> tuple[int, ...] | None:
    """What one game brings each seat, in seat order; None if the figures that `scoring` asks for aren't known.

    The three figures are those of the checker's verdict. Rulings B12 (R, S), B13 (B), K13 (K).
    """
    match scoring:
        case Scoring.CNTDICE:
            brought = cntdice
        case Scoring.PLACEMENT:
            brought = None if rank is None else placement(rank)
        case Scoring.TOTALS:
            brought = totals
    return None if brought is None else tuple(brought)


def placement(rank: Sequence[int]) -> list[int]:
    """How many seats finished behind each seat, in seat order; who shares a rank isn't behind. Ruling B12 (R, S)."""
    return [sum(other > own for other in rank) for own in rank]
