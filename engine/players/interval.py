"""How sure the result of a match is: intervals of 95 %."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Final, NamedTuple

Z: Final = 1.959964
"""Two-sided 95 % of the normal distribution."""


class Interval(NamedTuple):
    """An estimate and the two ends between which the true figure lies with 95 %."""

    value: float
    low: float
    high: float


def of_share(wins: int, games: int) -> Interval:
    """The share of games won, at least one game; the interval is Wilson's, which holds near 0 and 1 too."""
    share = wins / games
    centre = (share + Z**2 / (2 * games)) / (1 + Z**2 / games)
    spread = Z / (1 + Z**2 / games) * sqrt(share * (1 - share) / games + (Z / (2 * games)) ** 2)
    return Interval(share, max(centre - spread, 0.0), min(centre + spread, 1.0))


def of_mean(figures: Sequence[float]) -> Interval:
    """The mean of at least one figure; of a single one nothing is known about its spread, which is taken as none."""
    mean = fmean(figures)
    spread = Z * stdev(figures) / sqrt(len(figures)) if len(figures) > 1 else 0.0
    return Interval(mean, mean - spread, mean + spread)
