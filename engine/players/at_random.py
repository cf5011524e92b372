"""The random player."""

from random import Random
from typing import Final

from engine.bluff.move import CHALLENGE, LayOut, Move
from engine.bluff.track import BIDS, NO_BID
from engine.players.player import SeatView

REACH: Final = 12
"""The random player chooses among the next dozen raises: on the whole track most would be
absurd."""
LAY_OUT: Final = 0.25
"""How often it lays out dice if it may."""


class AtRandom:
    """A player that chooses uniformly among the next dozen raises and the challenge, and
    sometimes lays out dice."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, view: SeatView) -> Move:
        """Return a legal move, regardless of the dice."""
        bids = range(view.bid + 1, min(view.bid + 1 + REACH, BIDS))
        may_challenge = view.bid != NO_BID
        pick = self.rng.randrange(len(bids) + may_challenge)
        if pick == len(bids):
            return CHALLENGE
        if view.rules.reroll and len(view.cup) > 1 and self.rng.random() < LAY_OUT:
            dice = self.rng.randrange(1, len(view.cup))
            return LayOut(bids[pick], "".join(self.rng.sample(view.cup, dice)))
        return bids[pick]
