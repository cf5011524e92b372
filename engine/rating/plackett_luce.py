"""Plackett–Luce ratings: what one game of single players does to the belief about each of them.

Source: R. C. Weng and C.-J. Lin, A Bayesian Approximation Method for Online Ranking, Journal of Machine
Learning Research 12 (2011), 267–300, Algorithm 4, with the dynamics (tau) and the constants of the package
openskill 6.2, whose values these are to 1e-9.

Many games are computed at once, and a rebuild must meet what single games gave before, to the last digit, on
any machine. So there are only operations that IEEE 754 rounds in one way (+, −, ×, ÷, square root), each game
has its own lane, and seats are added one after the other: no result depends on the games beside it.
`np.exp` and `np.sum` would break that: the one differs between processors, the other between array shapes.
"""

import math
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.rating.rating import SIGMA

# All three are the defaults of openskill 6.2. How much play scatters about skill: half the start's sigma.
BETA = SIGMA / 2
# What is forgotten from game to game, so that old players can still move: a hundredth of the start's sigma.
TAU = SIGMA / 100
# The share of the variance that every game leaves.
KAPPA = 0.0001

LOG2_E = 1.4426950408889634
# ln 2 in two parts: the first ends in zeros, so that its small multiples are exact (fdlibm, e_exp.c).
LN2_HIGH = 6.93147180369123816490e-01
LN2_LOW = 1.90821492927058770002e-10
# Taylor, highest power first; on |x| ≤ ln 2 / 2 the first term left out is below 2 ** -57.
EXP_TERMS = [1 / math.factorial(n) for n in range(13, -1, -1)]


class Step(NamedTuple):
    """Means and standard deviations after a batch of games with equally many seats, both of shape (seats, games)."""

    mu: Floats
    sigma: Floats


def update(mu: Floats, sigma: Floats, ranks: Ints) -> Step:
    """Rate a batch of games that share no player; all arguments have the shape (seats, games).

    A lower rank is better, equal ranks are shared. Weng & Lin (2011), Algorithm 4.
    """
    variance = sigma * sigma + TAU * TAU
    c_squared = _total(variance + BETA * BETA)
    c = np.sqrt(c_squared)
    strength = exp(mu / c)
    still_in = ranks[:, None] >= ranks
    sharing = (ranks[:, None] == ranks).sum(axis=0)
    chance = strength[:, None] / _total(strength[:, None] * still_in)
    counted = chance * (still_in / sharing)
    surprise = 1 / sharing - _total(counted.swapaxes(0, 1))
    certainty = _total((counted * (1 - chance)).swapaxes(0, 1))
    omega = variance / c * surprise
    delta = variance / c_squared * certainty * (np.sqrt(variance) / c)
    after = np.sqrt(variance * np.maximum(1 - delta, KAPPA))
    return Step(mu + omega, after)


def check_ratings(mu: Floats, sigma: Floats) -> None:
    """Refuse ratings that can't be computed with, or that couldn't be computed: ValueError.

    Good are finite means with finite standard deviations above 0.
    """
    if not (np.isfinite(mu).all() and np.isfinite(sigma).all() and (sigma > 0).all()):
        raise ValueError("a rating is a finite mean with a finite sigma above 0, and can't be computed from others")


def rate(states: Sequence[tuple[float, float]], ranks: Sequence[int]) -> list[tuple[float, float]]:
    """(mu, sigma) of each seat after one game, from those before it and the ranks, both in seat order.

    A lower rank is better, equal ranks are shared. ValueError: fewer than two seats, or not a rank for each; a mean
    or sigma that isn't finite, a sigma that isn't above 0, or means too far apart for floats.
    """
    if len(states) < 2 or len(states) != len(ranks):
        raise ValueError(f"a game has two or more seats and ranks, not {len(states)} and {len(ranks)}")
    mu, sigma = np.array(states, np.float64).T[:, :, None]
    check_ratings(mu, sigma)
    with np.errstate(all="ignore"):
        step = update(mu, sigma, np.array(ranks, np.int64)[:, None])
    check_ratings(step.mu, step.sigma)
    return list(zip(step.mu[:, 0].tolist(), step.sigma[:, 0].tolist(), strict=True))


def exp(x: Floats) -> Floats:
    """e to the power of each element, within 2 units in the last place, the same bits on every machine."""
    doublings = np.rint(x * LOG2_E)
    rest = (x - doublings * LN2_HIGH) - doublings * LN2_LOW
    series = np.full_like(rest, EXP_TERMS[0])
    for term in EXP_TERMS[1:]:
        series *= rest
        series += term
    return np.ldexp(series, doublings.astype(np.int32))


def _total(rows: Iterable[Floats]) -> Floats:
    """The rows added one after the other: `np.sum` would choose an order by the shape of the batch."""
    return reduce(np.add, rows)
