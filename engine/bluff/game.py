"""A game: rounds until one seat is left. It knows the dice of each seat, the next opener, and
the exits."""

from collections.abc import Sequence
from operator import sub

from engine.bluff.finish import Exit, cntdice, finishing_order
from engine.bluff.round import Round
from engine.bluff.ruleset import Ruleset
from engine.bluff.showdown import clockwise, losses, possible_winners
from engine.bluff.track import COUNT
from engine.clock import CLOCK, ONE_LEFT, Ended, not_by_clock
from engine.illegal import Illegal
from engine.messages import say


class Game:
    """A mutable game between its rounds.

    `owned`: dice of each seat. `opener`: the seat that opens the next round, None while it isn't
    known. `openers`: the seats that may be the opener; only that one if it is known. `exits`: the
    seats that went out, in order. `due`: the round before was void, so it is to be played again.
    `ended`: what ended the game before one seat was left, if anything did.
    """

    __slots__ = ("due", "ended", "exits", "opener", "openers", "owned", "rules", "seats")

    def __init__(self, rules: Ruleset, seats: int, opener: int) -> None:
        """Start a game, with `rules.dice` dice for each of `seats` seats."""
        self.rules = rules
        self.seats = seats
        self.owned = [rules.dice] * seats
        self.opener: int | None = opener
        self.openers: tuple[int, ...] = (opener,)
        self.exits: list[Exit] = []
        self.due = False
        self.ended: Ended | None = None

    @property
    def over(self) -> bool:
        """Return True if one seat is left, or time is up (Rulings B11, B20)."""
        return self.ended is not None or self.owned.count(0) == self.seats - 1

    def open(self, opener: int) -> Illegal | None:
        """Set the seat that opens the next round; return `wrong_seat` if this seat can't open
        it."""
        if opener not in self.openers:
            may = " or ".join(map(str, self.openers))
            return Illegal(
                "wrong_seat",
                say("seat {seat} doesn't open this round: seat {may} does", seat=opener, may=may),
            )
        self._set_opener(opener)
        return None

    def roll(self, cups: Sequence[str] | None = None, *, rerolls: bool = True) -> Round:
        """Return the next round, opened by the first of `openers`, with all dice in the cups again.

        `cups`: the dice under each cup if known. `rerolls`: whether every reroll is recorded.
        """
        return Round(self.rules, self.owned, self.openers[0], cups, rerolls=rerolls)

    def finish(self, played: Round, count: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Settle a challenged round in which `count` dice match the last bid.

        Return the dice lost by each seat, and the seats that go out by it.
        """
        return self.settle(played.bidder, played.challenger, COUNT[played.bid], count)

    def settle(
        self, bidder: int, challenger: int, bid: int, count: int
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Settle a challenged bid of `bid` dice that `count` dice match.

        Return the dice lost by each seat, and the seats that go out by it. Rulings B8 to B11:
        losses, the exact hit, the next opener, the end.
        """
        self.due = False
        lost = losses(self.rules, self.owned, bidder, challenger, bid, count)
        winner = bidder if count >= bid else challenger
        self._set_opener(winner)
        return lost, self._lose(lost)

    def finish_untold(self, lost: Sequence[int]) -> tuple[int, ...] | Illegal:
        """Settle a round of which only the dice lost by each seat are recorded; return the seats
        that go out by it.

        The next opener isn't known then, unless only one seat can have won. Error:
        `losses_mismatch` if no bet can end with these losses.
        """
        openers = possible_winners(self.rules, self.owned, lost)
        if not openers:
            return Illegal(
                "losses_mismatch",
                say("no challenge can cost the seats {losses} dice", losses=list(lost)),
            )
        self.due = False
        self.opener = None
        self.openers = openers
        return self._lose(lost)

    def forfeit(self, seats: Sequence[int]) -> tuple[int, ...] | Illegal:
        """Remove the dice of seats that leave (Ruling B17); return the seats that go out by it.

        Error: `wrong_seat` if one of them is out already, or if nobody would be left.
        """
        for seat in seats:
            if not self.owned[seat]:
                return Illegal(
                    "wrong_seat", say("seat {seat} is already out and can't forfeit", seat=seat)
                )
        if len(seats) == self.seats - self.owned.count(0):
            return Illegal("wrong_seat", say("the last seat can't forfeit"))
        out = self._lose([dice if seat in seats else 0 for seat, dice in enumerate(self.owned)])
        after = clockwise(self.owned)
        openers = {seat if self.owned[seat] else after[seat] for seat in self.openers}
        self.openers = tuple(sorted(openers))
        if self.opener is not None:
            self.opener = self.openers[0]
        return out

    def void(self) -> None:
        """Declare the current round void: it is played again with the same opener (Ruling B18)."""
        self.due = True

    def end_by_clock(self) -> Illegal | None:
        """End the game between two rounds, as time is up; return `clock_mismatch` if it can't end
        so (Ruling B20)."""
        if self.over:
            return not_by_clock(ONE_LEFT)
        if self.due:
            return not_by_clock(
                say("the round before is void, so it is played again before the game ends")
            )
        self.ended = CLOCK
        return None

    def _set_opener(self, opener: int) -> None:
        self.opener = opener
        self.openers = (opener,)

    def _lose(self, lost: Sequence[int]) -> tuple[int, ...]:
        """Remove lost dice (−1: add one), and return the seats that went out by it."""
        owned_before = self.owned
        self.owned = list(map(sub, owned_before, lost))
        out: tuple[int, ...] = ()
        if self.owned.count(0) > owned_before.count(0):
            out = tuple(
                [seat for seat, dice in enumerate(owned_before) if dice and not self.owned[seat]]
            )
            dice_gone = self.rules.dice * self.seats - sum(self.owned)
            self.exits.append(Exit(out, dice_gone))
        return out

    def rank(self) -> tuple[int, ...] | None:
        """Return the rank of each seat once the game is over, else None (Rulings B12, B20)."""
        if not self.over:
            return None
        return finishing_order(self.owned, self.exits)

    def cntdice(self) -> tuple[int, ...] | None:
        """Return the dice score of each seat once the game is over, else None.

        Rulings B13, B20: dice scores and time is up."""
        if not self.over:
            return None
        return cntdice(self.owned, self.rules.dice, self.exits)

    def points(self) -> tuple[int, ...] | None:
        """Return the game points by the ruleset's scoring once the game is over, else None.

        Ruling B13: a seat scores the dice that have left the game."""
        if self.rules.scoring == "cntdice":
            return self.cntdice()
        return self.rank()
