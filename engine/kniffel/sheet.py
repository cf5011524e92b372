"""The score sheet of one seat (Gewinnkarte): two columns, points and lies."""

from dataclasses import dataclass
from typing import Final

from engine.kniffel.combinations import ANNOUNCEABLE, COMBINATIONS, UPPER

BONUS: Final = 35
BONUS_FROM: Final = 63
"""From 63 points in the upper part on there are 35 more (Ruling K12)."""
MOST: Final = sum(map(max, ANNOUNCEABLE.values())) + BONUS
"""The points of a sheet with the most that can be announced in every field, and the bonus
(Rulings K2, K12)."""
STRIKES_TO_CROSS: Final = 2
"""The second strike crosses the points field (Ruling K9)."""


@dataclass(slots=True)
class Field:
    """A combination on a sheet: the points noted, if any; whether it is crossed; and its
    strikes, 0 to 2."""

    points: int | None = None
    crossed: bool = False
    strikes: int = 0

    @property
    def filled(self) -> bool:
        """Return True if the field is noted or crossed (Ruling K10)."""
        return self.crossed or self.points is not None

    def note(self, points: int) -> None:
        """Note points, which can't be changed later. Raise ValueError if the field is filled."""
        if self.filled:
            raise ValueError("a filled field takes no points")
        self.points = points

    def strike(self) -> None:
        """Add a strike (*Strich*): the second crosses the field, even with points; later ones
        change nothing.

        Ruling K9: the second strike crosses the field.
        """
        if self.strikes < STRIKES_TO_CROSS:
            self.strikes += 1
        if self.strikes == STRIKES_TO_CROSS:
            self.crossed = True
            self.points = None


class Sheet(dict[str, Field]):
    """Thirteen fields by the name of their combination, in the order of the printed sheet
    (Ruling K1)."""

    def __init__(self) -> None:
        super().__init__((name, Field()) for name in COMBINATIONS)

    @property
    def full(self) -> bool:
        """Return True if all thirteen fields are filled (Ruling K10)."""
        return all(field.filled for field in self.values())

    @property
    def upper(self) -> int:
        """Return the points noted in the upper part; a crossed field counts 0 (Ruling K12)."""
        return sum(self[name].points or 0 for name in UPPER)

    @property
    def bonus(self) -> int:
        """Return 35 if the upper points reach 63, else 0 (Ruling K12)."""
        if self.upper < BONUS_FROM:
            return 0
        return BONUS

    @property
    def total(self) -> int:
        """Return all noted points and the bonus (Ruling K13)."""
        return sum(field.points or 0 for field in self.values()) + self.bonus
