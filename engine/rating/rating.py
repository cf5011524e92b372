"""A rating: what is believed of one player's skill, and how sure that is."""

from math import sqrt
from typing import Final, NamedTuple

from engine.interval import Interval, of_belief

MU: Final = 25.0
SIGMA: Final = MU / 3
"""Where everybody starts, as in the package openskill 6.2: mean 25, and three standard deviations
down to 0."""
PROVISIONAL_FROM: Final = SIGMA * sqrt(0.5)
"""At least half of the start's variance is left: games taught no more yet than was assumed before
the first.

With four seats that is so for about twenty games.
"""


class Rating(NamedTuple):
    """The belief about one player's skill: a normal distribution by its mean and standard
    deviation."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def interval(self) -> Interval:
        """The mean, and the two ends between which the skill lies with 95 %."""
        return of_belief(self.mu, self.sigma)

    @property
    def provisional(self) -> bool:
        """Tell whether the rating still rests on too few games."""
        return is_provisional(self.sigma)


def is_provisional(sigma: float) -> bool:
    """Tell whether the interval is still too wide to compare players by it: sigma from
    `PROVISIONAL_FROM` on."""
    return sigma >= PROVISIONAL_FROM
