"""All that a player of any game is: something that chooses a move from what its seat may know; and
how it is made weaker."""

from random import Random
from typing import Generic, Protocol, TypeVar

ViewT_contra = TypeVar("ViewT_contra", contravariant=True)
MoveT_co = TypeVar("MoveT_co", covariant=True)


class Chooser(Protocol[ViewT_contra, MoveT_co]):
    """Who sits at a seat. The same views in the same order get the same moves from players of one
    seed."""

    def choose(self, view: ViewT_contra) -> MoveT_co:
        """A legal move of the seat that has this view."""


class Wavering(Generic[ViewT_contra, MoveT_co]):
    """Another player of a given strength: 1 plays as that player does, 0 at random, between now so,
    now so.

    The random moves are fewer than the strength suggests, (1 − strength)² of all, as few are enough
    to lose a game."""

    def __init__(
        self,
        player: Chooser[ViewT_contra, MoveT_co],
        random: Chooser[ViewT_contra, MoveT_co],
        strength: float,
        rng: Random,
    ) -> None:
        self.player = player
        self.random = random
        self.wavers = (1 - strength) ** 2
        self.rng = rng

    def choose(self, view: ViewT_contra) -> MoveT_co:
        """The player's move, or now and then a random one."""
        return (self.random if self.rng.random() < self.wavers else self.player).choose(view)
