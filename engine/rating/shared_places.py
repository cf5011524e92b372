"""Shared places: a tie is rated as the mean over its strict orders.

Nobody knows in which order seats that share a place would have finished, so each order counts
equally. The step of a mean and that of a variance are sums over the choices of a finish: which of
the remaining seats comes next. So their means over all k! orders of k tied seats need no orders:
each set of m of the tied seats remains to be placed in one of every (k over m) orders, and 2^k − 1
sets are enough. That is exact (the least share of the variance that a game leaves, `KAPPA`, applies
to the mean), and takes time in the order of 2^k · n for n seats: 255 sets for eight on one place.

It follows that newcomers who share a place get the same rating to the last digit, that newcomers
who finished ahead get a higher one, and that no seat is better than another. Sums are rounded once,
by `math.fsum`, so they don't depend on an order.

openskill 6.2 rates a tie as Weng & Lin (2011) state Algorithm 4: the places of a tie are decided
once, with all its seats remaining, and the surprise is divided among them. So three who share the
second place of five end up below the fifth.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, fsum
from typing import Final, NamedTuple

MOST_SHARING: Final = 16
"""The most seats that may share a place: 65,535 sets, half a second. A record has at most eight
seats."""


class Choice(NamedTuple):
    """The seats from which the next one is picked, and the probability that exactly these are
    still in."""

    probability: float
    still_in: tuple[int, ...]


def check_sharing(ranks: Sequence[int]) -> None:
    """Raise ValueError if more than `MOST_SHARING` seats share a place."""
    most = max(map(ranks.count, ranks))
    if most > MOST_SHARING:
        raise ValueError(f"at most {MOST_SHARING} can share a place, not {most}")


def expectations_shared(
    strengths: Sequence[float], ranks: Sequence[int]
) -> list[tuple[float, float]]:
    """Return two numbers for each seat, as means over all strict orders of the ranks: how many of
    the places up to its own it was expected to take, and how much the game says about its strength.

    Raise ArithmeticError or ValueError if the range of floats is exceeded.
    """
    expected: list[list[float]] = [[] for _ in strengths]
    certainty: list[list[float]] = [[] for _ in strengths]
    for choice in _choices(tuple(ranks)):
        total = fsum([strengths[seat] for seat in choice.still_in])
        for seat in choice.still_in:
            chance = strengths[seat] / total
            counted = choice.probability * chance
            expected[seat].append(counted)
            certainty[seat].append(counted * (1 - chance))
    return list(zip(map(fsum, expected), map(fsum, certainty), strict=True))


@lru_cache(maxsize=1 << 10)
def _choices(ranks: tuple[int, ...]) -> list[Choice]:
    """Return every set of unplaced seats from which the next one can be picked, with the
    probability that it occurs.

    A tie stands for all strict orders of its seats, which are equally likely. They are placed one
    by one: what is left is some of the tied seats, and all seats ranked behind them.
    """
    choices = []
    for place in set(ranks):
        tied = [seat for seat, rank in enumerate(ranks) if rank == place]
        behind = [seat for seat, rank in enumerate(ranks) if rank > place]
        for size in range(1, len(tied) + 1):
            # Each set of this size is equally likely to remain.
            probability = 1 / comb(len(tied), size)
            for remaining in combinations(tied, size):
                choices.append(Choice(probability, (*remaining, *behind)))
    return choices
