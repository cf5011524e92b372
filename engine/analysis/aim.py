"""The chance that a roller of Lügen-Kniffel reaches an announcement it aims at: exact, for all announcements at
once.

Backwards from the last roll, over multisets of dice: what is kept so far (it can't be rolled again, ruling K11),
and what was just rolled, of which any part but not all may be kept for the next roll.
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import Final

import numpy as np

from engine.arrays import Floats
from engine.kniffel.combinations import (
    ANNOUNCEABLE,
    DICE,
    FACES,
    TRUTH,
    Announcement,
    Dice,
    Ruleset,
    Truth,
    is_true,
)
from engine.kniffel.rolls import ROLLS

ANNOUNCEMENTS: Final = tuple(
    Announcement(combination, points)
    for combination, announceable in ANNOUNCEABLE.items()
    for points in sorted(announceable | {0})
)
"""All that can be announced, zero included. Ruling K2 (K)."""
PLACE: Final = {announcement: place for place, announcement in enumerate(ANNOUNCEMENTS)}


@lru_cache(maxsize=DICE + 1)
def rolls_of(dice: int) -> dict[Dice, float]:
    """All rolls of `dice` dice in ascending order, each with its chance: dice! / (alike! …) / 6^dice."""
    orders = {
        roll: factorial(dice) / prod(map(factorial, Counter(roll).values()))
        for roll in combinations_with_replacement(FACES, dice)
    }
    return {roll: number / len(FACES) ** dice for roll, number in orders.items()}


def reached(announcement: Announcement, rolls: int, truth: Truth) -> float:
    """Chance, 0 to 1, that a roller who aims at `announcement` from the first die on, as well as can be, makes it true.

    It rolls up to `rolls` times (1 to 3) and stops as soon as the announcement is true. Rulings K3, K4, K11 (K).
    """
    return float(_reached(truth)[rolls - 1][PLACE[announcement]])


@lru_cache(maxsize=len(TRUTH))
def _reached(truth: Truth) -> list[Floats]:
    """The chances for one, two and three rolls, each an array over ANNOUNCEMENTS."""
    rules = Ruleset(truth=truth)
    full = {
        hand: np.array([is_true(announcement, hand, rules) for announcement in ANNOUNCEMENTS], float)
        for hand in rolls_of(DICE)
    }
    keeps = [kept_dice for dice in range(DICE) for kept_dice in rolls_of(dice)]
    after: dict[Dice, Floats] | None = None
    chances: list[Floats] = []
    for _ in ROLLS:
        after = {kept_dice: _roll(kept_dice, full, after) for kept_dice in keeps}
        chances.append(after[()])
    return chances


def _roll(kept_dice: Dice, full: dict[Dice, Floats], after: dict[Dice, Floats] | None) -> Floats:
    """Chances to reach each announcement when all dice but `kept_dice` are rolled now.

    `full`: 1 or 0 by the five dice. `after`: the same chances by what is kept after this roll, None if it is the
    last one.
    """
    total = np.zeros(len(ANNOUNCEMENTS))
    for roll, chance in rolls_of(DICE - len(kept_dice)).items():
        best = full[tuple(sorted(kept_dice + roll))]
        if after is not None:
            best = np.maximum.reduce([best, *[after[keep] for keep in _parts(kept_dice, roll)]])
        total += chance * best
    return total


@lru_cache(maxsize=1 << 13)
def _parts(kept_dice: Dice, roll: Dice) -> tuple[Dice, ...]:
    """Return what can be kept after a roll: all that was, and any part of the roll but not all of it. Ruling K11
    (K)."""
    parts = {part for dice in range(len(roll)) for part in combinations(roll, dice)}
    return tuple([tuple(sorted(kept_dice + part)) for part in parts])
