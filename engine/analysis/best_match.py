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
too (Ruling B7)."""


class Moments(NamedTuple):
    """The mean and variance of the best match over all rolls of fair dice, in dice and square
    dice."""

    mean: float
    variance: float


def best_match(dice: str) -> int:
    """Return the most of these dice that match one bid (Ruling B7)."""
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
    """Return the moments of the best match without the stars that are kept."""
    rolls_by_match = spread(kept_counts, rolled)
    rolls = 6**rolled
    mean = Fraction(sum(match * number for match, number in enumerate(rolls_by_match)), rolls)
    mean_square = Fraction(
        sum(match**2 * number for match, number in enumerate(rolls_by_match)), rolls
    )
    return Moments(float(mean), variance=float(mean_square - mean**2))


def spread(kept_counts: tuple[int, ...], rolled: int) -> list[int]:
    """Return how many of the 6^`rolled` rolls lead to a best match of 0, 1, 2, … dice.

    `kept_counts`: how many dice of each number face stay; stars that stay are left out, as they add
    to every best match. With z stars among the rolled dice, which can lie in (rolled over z) ways,
    the best match is z plus the count of the commonest number face. The rolls in which that count
    is exactly c are the rolls in which it is c at most, less those in which it is c − 1 at most.
    """
    least = max(kept_counts)
    rolls_by_match = [0] * (least + rolled + 1)
    rolls_below = [0] * (rolled + 1)
    for more in range(rolled + 1):
        rolls_up_to = _rolls_up_to(least + more, kept_counts, rolled)
        for numbers in range(more, rolled + 1):
            stars = rolled - numbers
            exactly = rolls_up_to[numbers] - rolls_below[numbers]
            rolls_by_match[least + more + stars] += comb(rolled, stars) * exactly
        rolls_below = rolls_up_to
    return rolls_by_match


def _rolls_up_to(limit: int, kept_counts: tuple[int, ...], rolled: int) -> list[int]:
    """Return in how many ways 0, 1, … `rolled` dice can all show number faces so that no face has
    more than `limit` dice, the kept ones included.

    Computed face by face: some of the dice show this face, the others show the faces before it."""
    rolls_by_dice = [1] + [0] * rolled
    for kept in kept_counts:
        rolls_with_face = []
        for dice in range(rolled + 1):
            most = min(dice, limit - kept)
            choices = [comb(dice, shows) * rolls_by_dice[dice - shows] for shows in range(most + 1)]
            rolls_with_face.append(sum(choices))
        rolls_by_dice = rolls_with_face
    return rolls_by_dice
