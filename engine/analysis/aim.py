"""The best that a roller of Lügen-Kniffel can reach by keeping dice, exactly, and the chance to
reach a given announcement.

Computed backwards from the last roll, over multisets of dice: those kept so far (which can't be
rolled again, ruling K11), and those just rolled, of which any part but not all may be kept for the
next roll.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import Final, NamedTuple

import numpy as np

from engine.arrays import Floats, Ints
from engine.kniffel.combinations import DICE, FACES, Announcement, Dice, Ruleset, Truth, is_true


@lru_cache(maxsize=DICE + 1)
def rolls_of(dice: int) -> dict[Dice, float]:
    """Return all rolls of `dice` dice in ascending order, each with its chance.

    The chance is dice! / (alike! …) / 6^dice."""
    chances = {}
    for roll in combinations_with_replacement(FACES, dice):
        orders = factorial(dice) / prod(map(factorial, Counter(roll).values()))
        chances[roll] = orders / len(FACES) ** dice
    return chances


HANDS: Final = {hand: place for place, hand in enumerate(rolls_of(DICE))}
"""All hands under the cups after a roll, ascending, each with its place in an array over them."""
KEEPS: Final = {
    keep: place
    for place, keep in enumerate(keep for dice in range(DICE) for keep in rolls_of(dice))
}
"""All sets of dice kept before a roll, likewise; the empty set comes first (Ruling K11)."""


class Steps(NamedTuple):
    """All rolls that can follow all KEEPS, in their order.

    `first`: the index of the first roll after each keep. `hands` and `chances`: of each roll.
    `keeps`: all sets that can be kept after each roll, one roll's after the other's. `begins`: the
    index of the first of them for each roll.
    """

    first: Ints
    hands: Ints
    chances: Floats
    keeps: Ints
    begins: Ints


@lru_cache(maxsize=1)
def _steps() -> Steps:
    hands: list[int] = []
    chances: list[float] = []
    keeps: list[int] = []
    number_of_rolls: list[int] = []
    number_of_keeps: list[int] = []
    for keep in KEEPS:
        rolls = rolls_of(DICE - len(keep))
        number_of_rolls.append(len(rolls))
        for roll, chance in rolls.items():
            hand = tuple(sorted(keep + roll))
            hands.append(HANDS[hand])
            chances.append(chance)
            keeps_after = [tuple(sorted(keep + part)) for part in parts(roll)]
            keeps += [KEEPS[keep_after] for keep_after in keeps_after]
            number_of_keeps.append(len(keeps_after))
    return Steps(
        first=_start_indices(number_of_rolls),
        hands=np.array(hands),
        chances=np.array(chances),
        keeps=np.array(keeps),
        begins=_start_indices(number_of_keeps),
    )


def _start_indices(lengths: Sequence[int]) -> Ints:
    return np.cumsum([0, *lengths[:-1]])


@lru_cache(maxsize=1 << 9)
def parts(roll: Dice) -> tuple[Dice, ...]:
    """Return all sets of dice that can be kept from a roll, ascending: any part but not all
    (Ruling K11)."""
    return tuple(sorted({part for dice in range(len(roll)) for part in combinations(roll, dice)}))


def worth_of_keeps(ends: Sequence[Sequence[float]]) -> Floats:
    """Return the worth of each of KEEPS, with the other dice to be rolled, to a roller who plays
    optimally.

    `ends`: for each roll to come, in order, the worth of stopping after it with each of HANDS.
    Without a roll to come, the worth is minus infinity: dice can't be kept for another roll.
    """
    steps = _steps()
    worth = np.full(len(KEEPS), -np.inf)
    for end in reversed(ends):
        stopping = np.array(end)[steps.hands]
        rolling_again = np.maximum.reduceat(worth[steps.keeps], steps.begins)
        best = np.maximum(stopping, rolling_again)
        worth = np.add.reduceat(steps.chances * best, steps.first)
    return worth


@lru_cache(maxsize=1 << 10)
def reached(announcement: Announcement, rolls: int, truth: Truth) -> float:
    """Return the chance, 0 to 1, that a roller who aims at `announcement` optimally makes it true.

    The roller rolls up to `rolls` times (1 to 3) and stops as soon as the announcement is true.
    Rulings K3, K4, K11: truth, scores and rolling.
    """
    rules = Ruleset(truth=truth)
    is_true_with = [float(is_true(announcement, hand, rules)) for hand in HANDS]
    worths = worth_of_keeps([is_true_with] * rolls)
    nothing_kept = KEEPS[()]
    return float(worths[nothing_kept])
