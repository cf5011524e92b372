"""The thirteen combinations: possible announcements, the score of dice, and the truth of an
announcement."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple

DICE: Final = 5
FACES: Final = (1, 2, 3, 4, 5, 6)

UPPER: Final = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER: Final = ("three", "four", "full", "small", "large", "kniffel", "chance")
COMBINATIONS: Final = UPPER + LOWER
"""In the order of the printed sheet (Ruling K1)."""
FACE: Final = dict(zip(UPPER, FACES, strict=True))
FIXED: Final = {"full": 25, "small": 30, "large": 40, "kniffel": 50}
"""Combinations with fixed points, whatever the dice (Ruling K2)."""
ANY_SUM: Final = frozenset(range(DICE * FACES[0], DICE * FACES[-1] + 1))

ANNOUNCEABLE: Final[dict[str, frozenset[int]]] = {
    **{name: frozenset(face * n for n in range(1, DICE + 1)) for name, face in FACE.items()},
    **dict.fromkeys(("three", "four", "chance"), ANY_SUM),
    **{name: frozenset({points}) for name, points in FIXED.items()},
}
"""The points that can be announced in each combination, except zero (Ruling K2)."""
MOST_POINTS: Final = max(map(max, ANNOUNCEABLE.values()))
"""The most points that can be announced (Ruling K2)."""

Dice = tuple[int, ...]
Truth = Literal["exact", "at_least"]
TRUTH: Final[dict[str, Truth]] = {"exact": "exact", "at_least": "at_least"}


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The settings of a game of Lügen-Kniffel.

    `truth`: how announced points compare with the dice (K3). `allow_zero`: zero may be announced
    (K2).
    """

    truth: Truth = "exact"
    allow_zero: bool = False


class Announcement(NamedTuple):
    """The roller's announcement (*Ansage*): a combination and its points."""

    combination: str
    points: int


def can_be_announced(announcement: Announcement, rules: Ruleset) -> bool:
    """Return True if the announcement is possible, regardless of the sheets (Rulings K1, K2)."""
    combination, points = announcement
    if combination not in ANNOUNCEABLE:
        return False
    return points in ANNOUNCEABLE[combination] or (points == 0 and rules.allow_zero)


@lru_cache(maxsize=1 << 13)
def score(combination: str, dice: Dice) -> int:
    """Return the points of five dice in one of the thirteen combinations, 0 if they miss it.

    Ruling K4: what dice score."""
    counts = Counter(dice)
    if combination in FACE:
        return FACE[combination] * counts[FACE[combination]]
    if combination in FIXED:
        return FIXED[combination] if _shows(combination, counts) else 0
    alike_needed = {"three": 3, "four": 4, "chance": 1}[combination]
    if max(counts.values()) < alike_needed:
        return 0
    return sum(dice)


def is_true(announcement: Announcement, dice: Dice, rules: Ruleset) -> bool:
    """Return True if five dice make the announcement true (Ruling K3)."""
    scored = score(announcement.combination, dice)
    if rules.truth == "at_least":
        return scored >= announcement.points
    return scored == announcement.points


def _shows(combination: str, counts: Counter[int]) -> bool:
    """Return True if dice show a combination of fixed points (Ruling K4).

    `counts`: how many of the dice show each face."""
    if combination == "full":
        return sorted(counts.values()) == [2, 3]
    if combination == "kniffel":
        return len(counts) == 1
    length = {"small": 4, "large": 5}[combination]
    starts = FACES[: len(FACES) - length + 1]
    return any(all(first + step in counts for step in range(length)) for first in starts)
