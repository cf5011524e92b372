"""The random player, and how it makes any other weaker."""

from random import Random
from typing import Final

from engine.bluff.move import CHALLENGE, LayOut, Move
from engine.bluff.track import BIDS, NO_BID
from engine.players.player import AutomaticPlayer, SeatView

REACH: Final = 12
"""The random player chooses among the next dozen raises: over the whole track most would be absurd."""
LAY_OUT: Final = 0.25
"""How often it lays dice out where it may."""


class AtRandom:
    """Chooses uniformly among the next dozen raises and the challenge, and now and then lays dice out."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, view: SeatView) -> Move:
        """A legal move, whatever the dice."""
        bids = range(view.bid + 1, min(view.bid + 1 + REACH, BIDS))
        pick = self.rng.randrange(len(bids) + (view.bid != NO_BID))
        if pick == len(bids):
            return CHALLENGE
        if view.rules.reroll and len(view.cup) > 1 and self.rng.random() < LAY_OUT:
            dice = self.rng.randrange(1, len(view.cup))
            return LayOut(bids[pick], "".join(self.rng.sample(view.cup, dice)))
        return bids[pick]


class Wavering:
    """Another player of a given strength: 1 plays as that player does, 0 at random, between now so, now so.

    The random moves are fewer than the strength suggests, (1 − strength)² of all, as few are enough to lose a game.
    """

    def __init__(self, player: AutomaticPlayer, strength: float, rng: Random) -> None:
        self.player = player
        self.wavers = (1 - strength) ** 2
        self.rng = rng
        self.random = AtRandom(rng)

    def choose(self, view: SeatView) -> Move:
        """The player's move, or now and then a random one."""
        return (self.random if self.rng.random() < self.wavers else self.player).choose(view)
