"""How many of the dice that nobody shows match a bid: exact distributions, and the chance that a
bid holds.

A distribution is a tuple of chances: entry x is the chance that exactly x of the dice match.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import comb
from typing import Final, TypeAlias

from engine.bluff.track import STAR

NUMBER_CHANCE: Final = 2 / 6
"""Chance that a die matches a number bid: the face or the star. Ruling B7; “Würfelmenge durch 3”
(S, R)."""
STAR_CHANCE: Final = 1 / 6
"""Chance that a die matches a star bid: the star alone. Ruling B7; “Würfelmenge durch 6” (S, R)."""

Counts: TypeAlias = tuple[float, ...]
Groups: TypeAlias = tuple[tuple[float, int], ...]
"""Dice by the chance that each of them matches, as (chance, dice)."""


def match_chance(face: int) -> float:
    """Chance that one unseen die matches a bid on `face` (1 to 5, or 6 for the star). Ruling B7 (R,
    S)."""
    return STAR_CHANCE if face == STAR else NUMBER_CHANCE


@lru_cache(maxsize=1 << 14)
def binomial(dice: int, chance: float) -> Counts:
    """The distribution of matches among `dice` dice, each of which matches with `chance`.

    Entry x: (dice over x) × chance^x × (1 − chance)^(dice − x). Source: the binomial distribution.
    """
    return tuple([comb(dice, x) * chance**x * (1 - chance) ** (dice - x) for x in range(dice + 1)])


def convolve(first: Counts, second: Counts) -> Counts:
    """The distribution of the sum of two independent counts."""
    total = [0.0] * (len(first) + len(second) - 1)
    for x, chance in enumerate(first):
        for y, chance_too in enumerate(second, start=x):
            total[y] += chance * chance_too
    return tuple(total)


@lru_cache(maxsize=1 << 14)
def counts(groups: Groups) -> Counts:
    """The distribution of matches among independent groups of dice; with one group it is the
    binomial."""
    total: Counts = (1.0,)
    for chance, dice in groups:
        total = (
            binomial(dice, chance) if len(total) == 1 else convolve(total, binomial(dice, chance))
        )
    return total


def grouped(dice: Iterable[tuple[float, int]]) -> Groups:
    """Dice of the same chance put together in one group; groups without dice are left out."""
    total: dict[float, int] = {}
    for chance, number in dice:
        if number:
            total[chance] = total.get(chance, 0) + number
    return tuple(sorted(total.items()))


def at_least(distribution: Counts, needed: int) -> float:
    """Chance, 0 to 1, that `needed` dice match or more; a need of 0 or less is certain."""
    return min(sum(distribution[needed:]), 1.0) if needed > 0 else 1.0


def bid_chance(bid: int, face: int, count_seen: int, unseen: int) -> float:
    """Chance, 0 to 1, that `bid` dice match `face` where `count_seen` of the seen dice do and
    `unseen` lie hidden.

    The plain light: every unseen die matches with 1/3 (number bid) or 1/6 (star bid). Ruling B7 (R,
    S)."""
    return at_least(binomial(unseen, match_chance(face)), bid - count_seen)
