"""Small odds of dice that a player doesn't see: binomial counts and their tails, each computed once."""

from functools import lru_cache
from itertools import accumulate
from math import comb
from typing import Final, TypeAlias

Counts: TypeAlias = tuple[float, ...]
"""The probabilities of 0, 1, 2, … matching dice."""

MATCH: Final = (0.0, *([1 / 3] * 5), 1 / 6)
"""The chance that a die matches a bid on face 1 to 6: its face or a star; a star alone. Ruling B7 (R, S)."""


@lru_cache(maxsize=1 << 14)
def binomial(dice: int, chance: float) -> Counts:
    """How many of so many dice match, each with the same chance."""
    return tuple([comb(dice, k) * chance**k * (1 - chance) ** (dice - k) for k in range(dice + 1)])


@lru_cache(maxsize=1 << 14)
def together(parts: tuple[tuple[int, float], ...]) -> Counts:
    """How many dice match in all; `parts` are groups of dice and the chance of each die in them."""
    counts: Counts = (1.0,)
    for dice, chance in parts:
        counts = convolved(counts, binomial(dice, chance))
    return counts


def convolved(one: Counts, other: Counts) -> Counts:
    """The counts of two groups of dice added."""
    total = [0.0] * (len(one) + len(other) - 1)
    for i, p in enumerate(one):
        for j, q in enumerate(other):
            total[i + j] += p * q
    return tuple(total)


@lru_cache(maxsize=1 << 10)
def _tails(dice: int, chance: float) -> tuple[float, ...]:
    return tuple(accumulate(reversed(binomial(dice, chance))))[::-1]


def at_least(count: int, dice: int, face: int) -> float:
    """The chance that at least `count` of so many unseen dice match `face`."""
    if count <= 0:
        return 1.0
    return _tails(dice, MATCH[face])[count] if count <= dice else 0.0
