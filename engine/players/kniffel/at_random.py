"""The random player of Lügen-Kniffel."""

from random import Random

from engine.kniffel.rolls import ROLLS
from engine.players.kniffel.view import TurnMove, TurnView


class TurnsAtRandom:
    """A player that rolls again every other time, keeps any dice, announces anything and doubts
    every other time."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, view: TurnView) -> TurnMove:
        """Return a legal move, regardless of the dice and the announcement."""
        if view.announcement is not None:
            return self.rng.random() < 1 / 2
        if view.rolls < ROLLS[-1] and self.rng.random() < 1 / 2:
            return tuple(self.rng.sample(view.rolled, self.rng.randrange(len(view.rolled))))
        return self.rng.choice(view.announcements)
