"""Intervals of 95 % for shares, means and normal distributions."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Final, NamedTuple

Z95: Final = 1.96
"""The two-sided 95 % quantile of the normal distribution."""


class Interval(NamedTuple):
    """An estimate and its interval: the true figure lies between `low` and `high` with 95 %."""

    value: float
    low: float
    high: float


def of_share(hits: int, trials: int) -> Interval:
    """Return the share of hits, 0 to 1, in at least one trial, with Wilson's interval.

    It also holds near 0 and 1. Source: E. B. Wilson, Probable Inference, the Law of Succession, and
    Statistical Inference, Journal of the American Statistical Association 22 (1927), 209–212.
    """
    share = hits / trials
    z_squared = Z95**2
    scale = 1 + z_squared / trials
    middle = (share + z_squared / (2 * trials)) / scale
    variance = share * (1 - share) / trials + z_squared / (4 * trials**2)
    half = Z95 * sqrt(variance) / scale
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half))


def of_mean(figures: Sequence[float]) -> Interval:
    """Return the mean of one figure or more; the interval of a single figure has no width."""
    mean = fmean(figures)
    half = 0.0
    if len(figures) > 1:
        half = Z95 * stdev(figures) / sqrt(len(figures))
    return Interval(mean, mean - half, mean + half)


def of_belief(mu: float, sigma: float) -> Interval:
    """Return the interval of a normal distribution with this mean and standard deviation."""
    return Interval(mu, mu - Z95 * sigma, mu + Z95 * sigma)
