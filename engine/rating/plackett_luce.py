"""Plackett–Luce ratings: how one game changes the belief about each of its players.

Source: R. C. Weng and C.-J. Lin, A Bayesian Approximation Method for Online Ranking, Journal of
Machine Learning Research 12 (2011), 267–300, Algorithm 4, with the dynamics (tau) and the constants
of the package openskill 6.2, whose values these match to 1e-9 unless a place is shared. For shared
places the method is our own: see `engine.rating.shared_places`.

Many games are computed at once in NumPy (`update`), a few are faster one by one in plain floats
(`rate_game`); and a rebuild must match earlier single games to the last digit, on any machine. So
both do the same operations in the same order, and only operations with a defined rounding in IEEE
754 (+, −, ×, ÷, square root); each game has its own lane, and seats are added one after the other,
so no result depends on other games in a batch. `np.exp`, `math.exp` and `np.sum` would break that:
the first two differ between machines, the last between array shapes.
"""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from typing import Final, NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.rating.rating import SIGMA
from engine.rating.shared_places import check_sharing, expectations_shared

# All three are the defaults of openskill 6.2. The scatter of play around skill: half of the initial
# sigma.
BETA = SIGMA / 2
# What is forgotten from game to game, so that old players can still move: a hundredth of the
# initial sigma.
TAU = SIGMA / 100
# The share of the variance that every game leaves.
KAPPA = 0.0001

LOG2_E = 1.4426950408889634
# ln 2 in two parts: the first ends in zeros, so that its small multiples are exact (fdlibm,
# e_exp.c).
LN2_HIGH = 6.93147180369123816490e-01
LN2_LOW = 1.90821492927058770002e-10
# Taylor, highest power first; on |x| ≤ ln 2 / 2 the first term left out is below 2 ** -57.
EXP_TERMS = [1 / math.factorial(n) for n in range(13, -1, -1)]
T13, T12, T11, T10, T9, T8, T7, T6, T5, T4, T3, T2, T1, T0 = EXP_TERMS
# A power of two beyond which floats are 0 or infinite: the cast to a C int needs a limit.
FAR: Final = 9999
BAD_RATING: Final = (
    "a rating is a finite mean with a finite sigma above 0, and can't be computed from others"
)


class Step(NamedTuple):
    """Means and standard deviations after a batch of games with the same number of seats, both
    of shape (seats, games)."""

    mu: Floats
    sigma: Floats


class SeatFinish(NamedTuple):
    """The seats that matter for the place of one seat, in the order in which they are added.

    `still_in`: the seats whose places weren't decided before its own, including itself. `reached`:
    the seats whose places were decided up to its own, including itself.
    """

    still_in: list[int]
    reached: list[int]


def update(mu: Floats, sigma: Floats, ranks: Ints) -> Step:
    """Rate a batch of games that share no player; all arguments have the shape (seats, games).

    A lower rank is better, equal ranks are shared. Weng & Lin (2011), Algorithm 4. Each game gives
    the result of `rate_game` to the last digit; a game with a shared place is rated by `rate_game`
    itself, which raises ValueError if the range of floats is exceeded."""
    variance = sigma * sigma + TAU * TAU
    c_squared = _total(variance + BETA * BETA)
    c = np.sqrt(c_squared)
    strength = exp(mu / c)
    still_in = ranks[:, None] >= ranks
    chance = strength[:, None] / _total(strength[:, None] * still_in)
    counted = chance * still_in
    surprise = 1 - _total(counted.swapaxes(0, 1))
    certainty = _total((counted * (1 - chance)).swapaxes(0, 1))
    omega = variance / c * surprise
    delta = variance / c_squared * certainty * (np.sqrt(variance) / c)
    after = Step(mu + omega, np.sqrt(variance * np.maximum(1 - delta, KAPPA)))

    seats = len(ranks)
    pairs_ordered = np.count_nonzero(still_in, axis=(0, 1))
    shares_place = pairs_ordered > seats * (seats + 1) // 2
    for game in np.flatnonzero(shares_place).tolist():
        after.mu[:, game], after.sigma[:, game] = rate_game(
            mu[:, game].tolist(), sigma[:, game].tolist(), ranks[:, game].tolist()
        )
    return after


def rate_game(
    mu: Sequence[float], sigma: Sequence[float], ranks: Sequence[int]
) -> tuple[list[float], list[float]]:
    """Return means and standard deviations after one game, from those before it and the ranks, all
    in seat order.

    The same as `update` for a batch of one, but eight times as fast. Raise ValueError if the range
    of floats is exceeded, or if more than `MOST_SHARING` seats share a place.
    """
    finish = _finish_unless_shared(tuple(ranks))
    try:
        return _rate_game(mu, sigma, ranks, finish)
    except (ArithmeticError, ValueError) as error:
        raise ValueError(BAD_RATING) from error


def _rate_game(
    mu: Sequence[float], sigma: Sequence[float], ranks: Sequence[int], finish: Sequence[SeatFinish]
) -> tuple[list[float], list[float]]:
    """Do what `rate_game` does, without turning errors of arithmetic into its ValueError."""
    forgotten = TAU * TAU
    scatter = BETA * BETA
    variances = [deviation * deviation + forgotten for deviation in sigma]
    c_squared = 0.0
    for variance in variances:
        c_squared += variance + scatter
    c = math.sqrt(c_squared)
    strengths = [_exp(mean / c) for mean in mu]
    expectations = _expectations(strengths, ranks, finish)
    mu_after = []
    sigma_after = []
    for mean, variance, (expected, certainty) in zip(mu, variances, expectations, strict=True):
        share_left = 1 - variance / c_squared * certainty * (math.sqrt(variance) / c)
        mu_after.append(mean + variance / c * (1 - expected))
        sigma_after.append(math.sqrt(variance * (KAPPA if share_left < KAPPA else share_left)))
    return mu_after, sigma_after


def _expectations(
    strengths: Sequence[float], ranks: Sequence[int], finish: Sequence[SeatFinish]
) -> list[tuple[float, float]]:
    """Return for each seat how many of the places up to its own it was expected to take, and how
    much the game says about its strength.

    `finish` is empty if places are shared."""
    if not finish:
        return expectations_shared(strengths, ranks)
    totals = []
    for place in finish:
        total = 0.0
        for seat in place.still_in:
            total += strengths[seat]
        totals.append(total)
    expectations = []
    for strength, place in zip(strengths, finish, strict=True):
        expected = 0.0
        certainty = 0.0
        for seat in place.reached:
            chance = strength / totals[seat]
            expected += chance
            certainty += chance * (1 - chance)
        expectations.append((expected, certainty))
    return expectations


@lru_cache(maxsize=1 << 12)
def _finish_unless_shared(ranks: tuple[int, ...]) -> list[SeatFinish]:
    """Return which seats matter for each seat's place; empty if places are shared.

    Raise ValueError if too many seats share a place."""
    if len(set(ranks)) < len(ranks):
        check_sharing(ranks)
        return []
    return [
        SeatFinish(
            still_in=[seat for seat, rank in enumerate(ranks) if rank >= place],
            reached=[seat for seat, rank in enumerate(ranks) if rank <= place],
        )
        for place in ranks
    ]


def check_ratings(mu: Floats, sigma: Floats) -> None:
    """Raise ValueError unless all means are finite, and all standard deviations finite and above
    0."""
    if not (np.isfinite(mu).all() and np.isfinite(sigma).all() and (sigma > 0).all()):
        raise ValueError(BAD_RATING)


def rate(states: Sequence[tuple[float, float]], ranks: Sequence[int]) -> list[tuple[float, float]]:
    """Return (mu, sigma) of each seat after one game, from the states before it and the ranks.

    All are in seat order; a lower rank is better, equal ranks are shared. Raise ValueError if there
    are fewer than two seats, or more or fewer ranks than seats; if a mean or sigma isn't finite, a
    sigma isn't above 0, or means are too far apart for floats; or if more than `MOST_SHARING` seats
    share a place."""
    if len(states) < 2 or len(states) != len(ranks):
        raise ValueError(
            f"a game has two or more seats and ranks, not {len(states)} and {len(ranks)}"
        )
    mu, sigma = zip(*states, strict=True)
    check_ratings(np.array(mu), np.array(sigma))
    mu_after, sigma_after = rate_game(mu, sigma, ranks)
    check_ratings(np.array(mu_after), np.array(sigma_after))
    return list(zip(mu_after, sigma_after, strict=True))


def exp(x: Floats) -> Floats:
    """Return e to the power of each element, within 2 units in the last place, with the same
    bits on every machine."""
    doublings = np.rint(x * LOG2_E)
    rest = (x - doublings * LN2_HIGH) - doublings * LN2_LOW
    series = np.full_like(rest, T13)
    for term in EXP_TERMS[1:]:
        series *= rest
        series += term
    return np.ldexp(series, np.clip(doublings, -FAR, FAR).astype(np.int32))


def _exp(x: float) -> float:
    """Return the `exp` of a single number, with the same bits.

    Raise OverflowError beyond the largest float, ValueError for NaN.
    """
    doublings = round(x * LOG2_E)
    r = (x - doublings * LN2_HIGH) - doublings * LN2_LOW
    highest = (((((T13 * r + T12) * r + T11) * r + T10) * r + T9) * r + T8) * r + T7
    return math.ldexp(
        ((((((highest * r + T6) * r + T5) * r + T4) * r + T3) * r + T2) * r + T1) * r + T0,
        doublings,
    )


def _total(rows: Iterable[Floats]) -> Floats:
    """Return the sum of the rows, added one after the other: `np.sum` would choose an order by the
    shape of the batch."""
    return reduce(np.add, rows)
