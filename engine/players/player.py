"""A player of Bluff, and what its seat may know."""

from typing import NamedTuple, TypeAlias

from engine.bluff.move import Move
from engine.bluff.ruleset import Ruleset
from engine.bluff.track import NO_BID
from engine.players.chooser import Chooser


class Said(NamedTuple):
    """A bid of this round, and the dice laid out with it (empty: none)."""

    seat: int
    bid: int
    show: str = ""


class SeatView(NamedTuple):
    """What the seat to act may know during a round.

    `owned`: how many dice each seat has. `shown`: dice each seat has laid out. `cup`: the dice
    under the own cup. `said`: the bids of this round in order. `after`: the next seat clockwise
    that owns dice.
    """

    rules: Ruleset
    seat: int
    after: int
    owned: tuple[int, ...]
    shown: tuple[str, ...]
    cup: str
    said: tuple[Said, ...]

    @property
    def bid(self) -> int:
        """Return the bid to raise or challenge, NO_BID for the opener."""
        if not self.said:
            return NO_BID
        return self.said[-1].bid

    @property
    def bidder(self) -> int:
        """Return the seat that made the last bid; there must be one."""
        return self.said[-1].seat

    @property
    def hidden(self) -> tuple[int, ...]:
        """Return how many dice are under each cup."""
        return tuple(
            [dice - len(open_dice) for dice, open_dice in zip(self.owned, self.shown, strict=True)]
        )


AutomaticPlayer: TypeAlias = Chooser[SeatView, Move]
"""A player of Bluff. Of its `LayOut` only the bid and the dice shown are used, as the table
rerolls."""
