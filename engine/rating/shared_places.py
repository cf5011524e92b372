"""Shared places: a tie is rated as the mean over its strict orders.

Nobody knows in which order seats that share a place would have finished, so each order counts
alike. The step of a mean and that of a variance are sums over the choices of a finish: who is next,
of those still in. So their means over all k! orders of k tied seats need no orders: each set of m
of the tied seats is still to be placed in one of every (k over m) orders, and 2^k − 1 sets say it
all. That is exact (the least share of the variance that a game leaves, `KAPPA`, holds for the
mean), and takes time in the order of 2^k · n for n seats: 255 sets for eight on one place.

What follows: newcomers who share a place are rated alike to the last digit, newcomers who finished
ahead are rated higher, and no seat is better than another. Sums are rounded once, by `math.fsum`,
so they don't depend on an order.

openskill 6.2 rates a tie as Weng & Lin (2011) state Algorithm 4: the places of a tie are decided
once, with all who share it still in, and the surprise is divided among them. So three who share the
second place of five come out below the fifth.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, fsum
from typing import Final, NamedTuple

MOST_SHARING: Final = 16
"""The most that may share a place: 65,535 sets, half a second. A record has at most eight seats."""


class Choice(NamedTuple):
    """A choice of who is next among the seats that are still in.

    It is made in this share of the strict orders.
    """

    share: float
    still_in: tuple[int, ...]


def check_sharing(ranks: Sequence[int]) -> None:
    """Refuse ranks that more than `MOST_SHARING` seats share: ValueError."""
    most = max(map(ranks.count, ranks))
    if most > MOST_SHARING:
        raise ValueError(f"at most {MOST_SHARING} can share a place, not {most}")


def expectations_shared(
    strengths: Sequence[float], ranks: Sequence[int]
) -> list[tuple[float, float]]:
    """Return what `update` needs of each seat, as the means over all strict orders of the ranks.

    That is how many of the places up to its own it was expected to take, and how much the game
    says of its strength. ArithmeticError or ValueError where floats end.
    """
    expected: list[list[float]] = [[] for _ in strengths]
    certainty: list[list[float]] = [[] for _ in strengths]
    for choice in _choices(tuple(ranks)):
        total = fsum([strengths[seat] for seat in choice.still_in])
        for seat in choice.still_in:
            chance = strengths[seat] / total
            counted = choice.share * chance
            expected[seat].append(counted)
            certainty[seat].append(counted * (1 - chance))
    return list(zip(map(fsum, expected), map(fsum, certainty), strict=True))


@lru_cache(maxsize=1 << 10)
def _choices(ranks: tuple[int, ...]) -> list[Choice]:
    """All choices of who is next that the strict orders of these ranks make."""
    choices = []
    for place in set(ranks):
        tied = [seat for seat, rank in enumerate(ranks) if rank == place]
        behind = [seat for seat, rank in enumerate(ranks) if rank > place]
        for size in range(1, len(tied) + 1):
            share = 1 / comb(len(tied), size)
            choices += [Choice(share, (*chosen, *behind)) for chosen in combinations(tied, size)]
    return choices
