"""How many of the unseen dice match a bid: exact distributions, and the chance that a bid holds.

A distribution is a tuple of chances: entry x is the chance that exactly x of the dice match.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import comb
from typing import Final, TypeAlias

from engine.bluff.track import STAR

NUMBER_CHANCE: Final = 2 / 6
"""The chance that a die matches a number bid: the face or the star.

Ruling B7; “Würfelmenge durch 3” (S, R)."""
STAR_CHANCE: Final = 1 / 6
"""The chance that a die matches a star bid: the star alone.

Ruling B7; “Würfelmenge durch 6” (S, R)."""

Counts: TypeAlias = tuple[float, ...]
Groups: TypeAlias = tuple[tuple[float, int], ...]
"""Dice by the chance that each of them matches, as (chance, dice)."""


def match_chance(face: int) -> float:
    """Return the chance that an unseen die matches a bid on `face` (1 to 5, or 6 for the star)
    (Ruling B7)."""
    if face == STAR:
        return STAR_CHANCE
    return NUMBER_CHANCE


@lru_cache(maxsize=1 << 14)
def binomial(dice: int, chance: float) -> Counts:
    """Return the distribution of matches among `dice` dice, each of which matches with `chance`.

    Entry x: (dice over x) × chance^x × (1 − chance)^(dice − x). Source: the binomial distribution.
    """
    return tuple([comb(dice, x) * chance**x * (1 - chance) ** (dice - x) for x in range(dice + 1)])


def convolve(first: Counts, second: Counts) -> Counts:
    """Return the distribution of the sum of two independent counts."""
    total = [0.0] * (len(first) + len(second) - 1)
    for x, first_chance in enumerate(first):
        for both, second_chance in enumerate(second, start=x):
            total[both] += first_chance * second_chance
    return tuple(total)


@lru_cache(maxsize=1 << 14)
def counts(groups: Groups) -> Counts:
    """Return the distribution of matches among independent groups of dice.

    With one group it is the binomial."""
    total: Counts = (1.0,)
    for chance, dice in groups:
        of_group = binomial(dice, chance)
        total = of_group if len(total) == 1 else convolve(total, of_group)
    return total


def grouped(dice: Iterable[tuple[float, int]]) -> Groups:
    """Return dice with the same chance as one group; groups without dice are left out."""
    total: dict[float, int] = {}
    for chance, number in dice:
        if number:
            total[chance] = total.get(chance, 0) + number
    return tuple(sorted(total.items()))


def at_least(distribution: Counts, needed: int) -> float:
    """Return the chance, 0 to 1, that `needed` dice or more match; 1 if 0 or fewer are needed."""
    if needed <= 0:
        return 1.0
    return min(sum(distribution[needed:]), 1.0)


def bid_chance(bid: int, face: int, count_seen: int, unseen: int) -> float:
    """Return the chance, 0 to 1, that at least `bid` dice match `face`.

    `count_seen`: how many of the visible dice match. `unseen`: how many dice are hidden; each of
    them matches with a chance of 1/3 (number bid) or 1/6 (star bid).
    """
    return at_least(binomial(unseen, match_chance(face)), bid - count_seen)
