"""A player's style in figures, as pages show them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.analysis.profile import MICRO
from engine.analysis.profile import Style as Sums
from engine.interval import of_share


@dataclass(frozen=True, slots=True)
class PlayerStyle:
    """A player's style over a season, from `sums`."""

    sums: Sums

    @property
    def answered(self) -> int:
        """Return the number of bluffs that the next seat raised or challenged."""
        return self.sums.stood + self.sums.lucky + self.sums.caught

    @property
    def uncaught(self) -> int:
        """Return the number of answered bluffs that worked."""
        return self.sums.stood + self.sums.lucky

    @property
    def cost(self) -> float | None:
        """Return the mean cost of a decision in dice; None without decisions."""
        if not self.sums.decisions:
            return None
        return self.sums.cost / MICRO / self.sums.decisions

    @property
    def luck(self) -> float | None:
        """Return the luck of all rolls that count, as a lead in dice; None if no roll counts."""
        return self.sums.luck / MICRO if self.sums.rolls else None

    @property
    def challenges(self) -> int:
        """Return the number of challenges made with a known hand."""
        return sum(self.sums.challenges)

    @property
    def right(self) -> int:
        """Return the number of challenges in which the bid did not hold."""
        return sum(self.sums.right)

    @property
    def calibration(self) -> list[Calibration]:
        """Return the challenges in bins of their stated chance, from unlikely to likely, without
        empty bins."""
        bins = zip(self.sums.challenges, self.sums.stated, self.sums.right, strict=True)
        return [
            Calibration(number, stated / number / MICRO, *of_share(right, number))
            for number, stated, right in bins
            if number
        ]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Challenges with about the same stated chance of being right: their number, the mean of that
    chance, and the share that was right, with its 95 % interval."""

    challenges: int
    stated: float
    actual: float
    low: float
    high: float
