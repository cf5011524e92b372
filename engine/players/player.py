"""All that a player is: something that chooses a move from what its seat may know."""

from typing import NamedTuple, Protocol

from engine.bluff.move import Move
from engine.bluff.ruleset import Ruleset
from engine.bluff.track import NO_BID


class Said(NamedTuple):
    """One bid of this round and the dice its seat laid out with it (empty: none)."""

    seat: int
    bid: int
    show: str = ""


class SeatView(NamedTuple):
    """All that the seat to act may know in the middle of a round.

    `owned`: dice of each seat. `shown`: dice each seat has laid out. `cup`: the dice under the own cup.
    `said`: the bids of this round in order. `after`: the next seat clockwise that owns dice.
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
        """The bid to raise or challenge, NO_BID for the opener."""
        return self.said[-1].bid if self.said else NO_BID

    @property
    def bidder(self) -> int:
        """The seat that made it; there is one."""
        return self.said[-1].seat

    @property
    def hidden(self) -> tuple[int, ...]:
        """Tell how many dice lie under each cup."""
        return tuple([dice - len(open_dice) for dice, open_dice in zip(self.owned, self.shown, strict=True)])


class AutomaticPlayer(Protocol):
    """Who sits at a seat. The same views in the same order get the same moves from players of one seed."""

    def choose(self, view: SeatView) -> Move:
        """A legal move; of a `LayOut` only the bid and the dice shown, as the table does the rerolling."""
