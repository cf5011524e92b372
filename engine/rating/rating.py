"""A rating: the estimate of a player's skill, and its certainty."""

from math import sqrt
from typing import Final, NamedTuple

from engine.interval import Interval, of_belief

MU: Final = 25.0
SIGMA: Final = MU / 3
"""The initial rating, as in the package openskill 6.2: mean 25, and three standard deviations
down to 0."""
PROVISIONAL_FROM: Final = SIGMA * sqrt(0.5)
"""At least half of the initial variance is left: so far, games have revealed no more than was
assumed at the start.

With four seats that is so for about twenty games.
"""


class Rating(NamedTuple):
    """The belief about a player's skill: a normal distribution with its mean and standard
    deviation."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def interval(self) -> Interval:
        """Return the mean, and the two ends between which the skill lies with 95 %."""
        return of_belief(self.mu, self.sigma)

    @property
    def provisional(self) -> bool:
        """Return True if the rating still rests on too few games."""
        return is_provisional(self.sigma)


def is_provisional(sigma: float) -> bool:
    """Return True if the interval is too wide to compare players: sigma is `PROVISIONAL_FROM` or
    more."""
    return sigma >= PROVISIONAL_FROM
