"""How sure a rating is."""

import math

from engine.rating.plackett_luce import SIGMA

# Two-sided 95 % of the normal distribution.
Z95 = 1.96
# At least half of the start's variance is left: games taught no more yet than was assumed before the first.
# With four seats that is so for about twenty games.
PROVISIONAL_FROM = SIGMA * math.sqrt(0.5)


def interval(mu: float, sigma: float) -> tuple[float, float]:
    """The low and the high end between which the skill lies with 95 %."""
    return mu - Z95 * sigma, mu + Z95 * sigma


def is_provisional(sigma: float) -> bool:
    """Whether the interval is too wide yet to compare players by it: sigma from `PROVISIONAL_FROM` on."""
    return sigma >= PROVISIONAL_FROM
