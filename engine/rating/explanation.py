"""Why a game moved a rating: what was expected of each seat, and what came."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.rating.plackett_luce import update_one


@dataclass(frozen=True, slots=True)
class Explanation:
    """One seat of one rated game.

    `first`: chance to come first. `expected_rank`: one plus the chances of each other seat to finish ahead.
    `chances`: for each seat's place, this seat's chance to take it from among those still in; None where this
    seat had a better place already. `omega`: what is added to mu. `delta`: the share of the variance that the
    game takes away. `after`: mu and sigma, as `rate` gives them.
    """

    first: float
    expected_rank: float
    chances: tuple[float | None, ...]
    omega: float
    delta: float
    after: tuple[float, float]


def explain(states: Sequence[tuple[float, float]], ranks: Sequence[int]) -> list[Explanation]:
    """Explain what `rate` makes of one game, seat by seat; arguments and errors as there."""
    step = update_one(states, ranks)
    strength, omega, delta, mu, sigma = (
        column[:, 0].tolist() for column in (step.strength, step.omega, step.delta, step.mu, step.sigma)
    )
    chances = np.where(step.still_in, step.chance, np.nan)[:, :, 0].tolist()
    return [
        Explanation(
            first=own / sum(strength),
            expected_rank=1 + sum(other / (own + other) for other in strength) - 0.5,
            chances=tuple(None if math.isnan(chance) else chance for chance in chances[seat]),
            omega=omega[seat],
            delta=delta[seat],
            after=(mu[seat], sigma[seat]),
        )
        for seat, own in enumerate(strength)
    ]
