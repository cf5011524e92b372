"""The way in which a player plays in a season, in figures to be shown."""

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
        """Bluffs that the next seat raised or challenged."""
        return self.sums.stood + self.sums.lucky + self.sums.caught

    @property
    def uncaught(self) -> int:
        """Those of them that worked."""
        return self.sums.stood + self.sums.lucky

    @property
    def cost(self) -> float | None:
        """Mean cost of a decision in dice."""
        return self.sums.cost / MICRO / self.sums.decisions if self.sums.decisions else None

    @property
    def luck(self) -> float | None:
        """Luck of all rolls that count, in dice of lead; None where no game tells all its rolls."""
        return self.sums.luck / MICRO if self.sums.rolls else None

    @property
    def challenges(self) -> int:
        """Challenges made with a known hand."""
        return sum(self.sums.challenges)

    @property
    def right(self) -> int:
        """Those in which the bid did not hold."""
        return sum(self.sums.right)

    @property
    def calibration(self) -> list[Calibration]:
        """The challenges by what they stated, from unlikely to likely; bins without any are left
        out."""
        return [
            Calibration(number, stated / number / MICRO, *of_share(right, number))
            for number, stated, right in zip(
                self.sums.challenges, self.sums.stated, self.sums.right, strict=True
            )
            if number
        ]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Challenges of about the same stated chance to be right: its mean, and how often they were,
    with 95 % interval."""

    challenges: int
    stated: float
    actual: float
    low: float
    high: float
