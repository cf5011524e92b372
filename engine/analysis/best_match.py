"""How many of a seat's dice one bid can count at most, and what a roll adds to it: exact, not
simulated."""

from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

from engine.bluff.hand import matching
from engine.bluff.track import FACES, STAR

NUMBERS: Final = range(1, STAR)
"""The faces of number bids. A star bid never counts more dice, as stars count for number bids
too. Ruling B7."""


class Moments(NamedTuple):
    """The mean and variance of the best match over all rolls of fair dice, in dice and square
    dice."""

    mean: float
    variance: float


def best_match(dice: str) -> int:
    """Return the most of these dice that match one bid. Ruling B7 (R, S)."""
    return max([matching(dice, face) for face in NUMBERS])


def after_roll(kept_dice: str, rolled: int) -> Moments:
    """Return the moments of the best match of the dice `kept_dice` together with `rolled` fair
    ones."""
    stars = kept_dice.count("*")
    kept_counts = sorted([kept_dice.count(face) for face in FACES[: STAR - 1]])
    without_stars = _moments(tuple(kept_counts), rolled)
    return Moments(stars + without_stars.mean, without_stars.variance)


@lru_cache(maxsize=1 << 12)
def _moments(kept_counts: tuple[int, ...], rolled: int) -> Moments:
    ways = spread(kept_counts, rolled)
    rolls = 6**rolled
    mean = Fraction(sum(match * number for match, number in enumerate(ways)), rolls)
    square = Fraction(sum(match**2 * number for match, number in enumerate(ways)), rolls)
    return Moments(float(mean), float(square - mean**2))


def spread(kept_counts: tuple[int, ...], rolled: int) -> list[int]:
    """Return how many of the 6^`rolled` rolls lead to a best match of 0, 1, 2, … dice.

    `kept_counts`: how many dice of each number face stay; stars that stay are left out, as they add
    to every best match. With z stars among the rolled dice, which can lie in (rolled over z) ways,
    the best match is z plus the count of the commonest number face; rolls in which that is exactly
    c are those of at most c less those of at most c − 1.
    """
    least = max(kept_counts)
    ways = [0] * (least + rolled + 1)
    fewer = [0] * (rolled + 1)
    for more in range(rolled + 1):
        most = _at_most(least + more, kept_counts, rolled)
        for numbers in range(more, rolled + 1):
            stars = rolled - numbers
            ways[least + more + stars] += comb(rolled, stars) * (most[numbers] - fewer[numbers])
        fewer = most
    return ways


def _at_most(limit: int, kept_counts: tuple[int, ...], rolled: int) -> list[int]:
    """Return in how many ways 0, 1, … `rolled` dice can show number faces without any face
    exceeding `limit` dice.

    Computed face by face: choose the dice that show it; the others show the faces before."""
    ways = [1] + [0] * rolled
    for kept in kept_counts:
        ways_with_face = []
        for dice in range(rolled + 1):
            most = min(dice, limit - kept)
            choices = [comb(dice, shows) * ways[dice - shows] for shows in range(most + 1)]
            ways_with_face.append(sum(choices))
        ways = ways_with_face
    return ways
