"""The interface of a player of any game, which chooses a move from what its seat may know, and
how to weaken one."""

from random import Random
from typing import Generic, Protocol, TypeVar

ViewT_contra = TypeVar("ViewT_contra", contravariant=True)
MoveT_co = TypeVar("MoveT_co", covariant=True)


class Chooser(Protocol[ViewT_contra, MoveT_co]):
    """A player of a seat. Players with the same seed answer the same views in the same order
    with the same moves."""

    def choose(self, view: ViewT_contra) -> MoveT_co:
        """Return a legal move of the seat that has this view."""


class Wavering(Generic[ViewT_contra, MoveT_co]):
    """Another player at a given strength: 1 plays as that player does, 0 at random, in between a
    mixture.

    The share of random moves is smaller than the strength suggests, (1 − strength)², as a few are
    enough to lose a game.
    """

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
        """Return the player's move, or sometimes a random one."""
        is_random = self.rng.random() < self.wavers
        player = self.random if is_random else self.player
        return player.choose(view)
