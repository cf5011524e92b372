"""The certainty of figures: intervals of 95 %, for shares, means and beliefs alike."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Final, NamedTuple

Z95: Final = 1.96
"""Two-sided 95 % of the normal distribution."""


class Interval(NamedTuple):
    """An estimate and the two ends between which the true figure lies with 95 %."""

    value: float
    low: float
    high: float


def of_share(hits: int, trials: int) -> Interval:
    """The share of hits in at least one trial, 0 to 1; the interval is Wilson's, which holds near 0
    and 1 too.

    Source: E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference,
    Journal of the American Statistical Association 22 (1927), 209–212."""
    share, z_squared = hits / trials, Z95**2
    middle = (share + z_squared / (2 * trials)) / (1 + z_squared / trials)
    half = (
        Z95
        * sqrt(share * (1 - share) / trials + z_squared / (4 * trials**2))
        / (1 + z_squared / trials)
    )
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half))


def of_mean(figures: Sequence[float]) -> Interval:
    """The mean of at least one figure; of a single one nothing is known about its spread, which is
    taken as none."""
    mean = fmean(figures)
    half = Z95 * stdev(figures) / sqrt(len(figures)) if len(figures) > 1 else 0.0
    return Interval(mean, mean - half, mean + half)


def of_belief(mu: float, sigma: float) -> Interval:
    """The interval of a normal distribution with the mean `mu` and the standard deviation
    `sigma`."""
    return Interval(mu, mu - Z95 * sigma, mu + Z95 * sigma)
