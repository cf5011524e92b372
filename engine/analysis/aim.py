"""What a roller of Lügen-Kniffel can reach by keeping dice as well as can be, exact, and the chance
to reach an announcement it aims at.

Backwards from the last roll, over multisets of dice: what is kept so far (it can't be rolled again,
ruling K11), and what was just rolled, of which any part but not all may be kept for the next roll.
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
    """All rolls of `dice` dice in ascending order, each with its chance: dice! / (alike! …) /
    6^dice."""
    orders = {
        roll: factorial(dice) / prod(map(factorial, Counter(roll).values()))
        for roll in combinations_with_replacement(FACES, dice)
    }
    return {roll: number / len(FACES) ** dice for roll, number in orders.items()}


HANDS: Final = {hand: place for place, hand in enumerate(rolls_of(DICE))}
"""All that can lie under the cups after a roll, ascending, each with its place in an array over
them."""
KEEPS: Final = {
    keep: place
    for place, keep in enumerate(keep for dice in range(DICE) for keep in rolls_of(dice))
}
"""All that can lie there before a roll, in the same way; nothing comes first. Ruling K11 (K)."""


class Steps(NamedTuple):
    """All rolls behind all KEEPS, in their order.

    `first`: where the rolls behind each keep begin. `hands` and `chances`: of each roll. `keeps`:
    all that can be kept after each roll, one roll's after the other's. `begins`: where those of
    each roll begin."""

    first: Ints
    hands: Ints
    chances: Floats
    keeps: Ints
    begins: Ints


@lru_cache(maxsize=1)
def _steps() -> Steps:
    rolls = [
        (keep, roll, chance)
        for keep in KEEPS
        for roll, chance in rolls_of(DICE - len(keep)).items()
    ]
    keeps = [[tuple(sorted(keep + part)) for part in parts(roll)] for keep, roll, _ in rolls]
    return Steps(
        first=_begins([len(rolls_of(DICE - len(keep))) for keep in KEEPS]),
        hands=np.array([HANDS[tuple(sorted(keep + roll))] for keep, roll, _ in rolls]),
        chances=np.array([chance for _, _, chance in rolls]),
        keeps=np.array([KEEPS[keep] for after_roll in keeps for keep in after_roll]),
        begins=_begins([len(after_roll) for after_roll in keeps]),
    )


def _begins(lengths: Sequence[int]) -> Ints:
    """The places where pieces of these lengths begin, one behind the other."""
    return np.cumsum([0, *lengths[:-1]])


@lru_cache(maxsize=1 << 9)
def parts(roll: Dice) -> tuple[Dice, ...]:
    """All that can stay of the dice just rolled, ascending: any part but not all of them. Ruling
    K11 (K)."""
    return tuple(sorted({part for dice in range(len(roll)) for part in combinations(roll, dice)}))


def worth_of_keeps(ends: Sequence[Sequence[float]]) -> Floats:
    """The worth of each of KEEPS with all other dice to be rolled, to a roller who keeps dice, and
    stops, as well as can be.

    `ends`: for each roll that can come, in order, the worth of stopping after it with each of
    HANDS. Where none can come, it is minus infinity. Ruling K11 (K)."""
    steps = _steps()
    worth = np.full(len(KEEPS), -np.inf)
    for end in reversed(ends):
        best = np.maximum(
            np.array(end)[steps.hands], np.maximum.reduceat(worth[steps.keeps], steps.begins)
        )
        worth = np.add.reduceat(steps.chances * best, steps.first)
    return worth


@lru_cache(maxsize=1 << 10)
def reached(announcement: Announcement, rolls: int, truth: Truth) -> float:
    """Chance, 0 to 1, that a roller who aims at `announcement` from the first die on, as well as
    can be, makes it true.

    It rolls up to `rolls` times (1 to 3) and stops as soon as the announcement is true. Rulings K3,
    K4, K11 (K)."""
    rules = Ruleset(truth=truth)
    true = [float(is_true(announcement, hand, rules)) for hand in HANDS]
    return float(worth_of_keeps([true] * rolls)[KEEPS[()]])
