"""One round (*Durchgang*), from the roll to the challenge: a mutable state of ints and short
strings.

It serves games in play as well as recorded ones: the dice under the cups may be known or not.
"""

from collections.abc import Sequence
from typing import Final

from engine.bluff.hand import matching, sort_hand, without
from engine.bluff.move import CHALLENGE, LayOut, Move
from engine.bluff.ruleset import Ruleset
from engine.bluff.showdown import clockwise
from engine.bluff.track import FACE, NO_BID, TEXT, raises
from engine.illegal import Illegal, quote
from engine.messages import say

NOBODY: Final = -1


class Round:
    """A round in which seats raise in turn until one challenges.

    `owned`: dice of each seat. `turn`: the seat to act. `bid`: the last bid or NO_BID, made by
    `bidder`. `challenger`: NOBODY until the cups go up. `hidden`: how many dice are under each cup.
    `shown`: dice laid out by each seat. `cups`: the dice under each cup if known, else None. With
    `rerolls` every reroll is recorded; without it, `cups` began as the hands at the end of the
    round.
    """

    __slots__ = (
        "after",
        "bid",
        "bidder",
        "challenger",
        "cups",
        "hidden",
        "opener",
        "owned",
        "rerolls",
        "rules",
        "shown",
        "turn",
    )

    def __init__(
        self,
        rules: Ruleset,
        owned: Sequence[int],
        opener: int,
        cups: Sequence[str] | None = None,
        *,
        rerolls: bool = True,
    ) -> None:
        """Start a round; each of `cups` holds as many dice as its seat owns."""
        self.rules = rules
        self.owned = owned
        self.opener = opener
        self.turn = opener
        self.after = clockwise(owned)
        self.bid = NO_BID
        self.bidder = NOBODY
        self.challenger = NOBODY
        self.hidden = list(owned)
        self.shown = [""] * len(owned)
        self.cups = None if cups is None else list(cups)
        self.rerolls = rerolls and cups is not None

    def legal_bids(self) -> range:
        """Return the bids that the seat to act may make; none once the cups are up.

        Rulings B4, B5: raising and opening."""
        if self.challenger != NOBODY:
            return range(0)
        return raises(self.bid)

    def may_challenge(self) -> bool:
        """Return True if there is a bid to challenge (Rulings B5, B6)."""
        return self.bid != NO_BID and self.challenger == NOBODY

    def may_show(self) -> int:
        """Return how many dice the seat to act may lay out at most (Ruling B14)."""
        if not self.rules.reroll:
            return 0
        return max(self.hidden[self.turn] - 1, 0)

    def apply(self, move: Move) -> Illegal | None:
        """Make the move of the seat to act; return an illegal move's error, which changes nothing.

        Errors: `bad_record` (the cups are up already), `no_bid`, `not_a_raise`, and those of laying
        out: `reroll_off`, `must_show_one`, `show_not_owned`, `must_keep_one_hidden`,
        `wrong_number_of_dice`. Rulings B4 to B6, B14: raising, opening, turns, laying out.
        """
        if self.challenger != NOBODY:
            return Illegal("bad_record", say("the cups are up: nothing follows a challenge"))
        if not isinstance(move, int):
            return self._lay_out(move)
        if move == CHALLENGE:
            if self.bid == NO_BID:
                return Illegal("no_bid", say("there is no bid to challenge: the opener has to bid"))
            self.challenger = self.turn
            return None
        if move <= self.bid:
            return self._not_a_raise(move)
        self._raise_to(move)
        return None

    def _raise_to(self, bid: int) -> None:
        self.bid = bid
        self.bidder = self.turn
        self.turn = self.after[self.turn]

    def _not_a_raise(self, bid: int) -> Illegal:
        return Illegal(
            "not_a_raise", say("{bid} does not raise {last}", bid=TEXT[bid], last=TEXT[self.bid])
        )

    def _lay_out(self, move: LayOut) -> Illegal | None:
        fault = self._lay_out_fault(move)
        if fault is not None:
            return fault
        seat = self.turn
        if self.cups is not None:
            if move.rolled is None:
                self.cups[seat] = without(self.cups[seat], move.show) or ""
            else:
                self.cups[seat] = move.rolled
        self.hidden[seat] -= len(move.show)
        self.shown[seat] = sort_hand(self.shown[seat] + move.show)
        self._raise_to(move.bid)
        return None

    def _lay_out_fault(self, move: LayOut) -> Illegal | None:
        hidden = self.hidden[self.turn]
        to_reroll = hidden - len(move.show)
        if move.bid <= self.bid:
            return self._not_a_raise(move.bid)
        if move.rolled is not None and not self.rerolls:
            return Illegal("bad_record", say("rerolled dice can be given only in a dealt round"))
        if not self.rules.reroll:
            return Illegal("reroll_off", say("this table plays without laying out and rerolling"))
        if not move.show:
            return Illegal("must_show_one", say("to reroll, you have to lay out at least one die"))
        if to_reroll == 0:
            return Illegal(
                "must_keep_one_hidden",
                say("at least one hidden die has to stay in the cup to be rerolled"),
            )
        lacks_dice = self.cups is not None and without(self.cups[self.turn], move.show) is None
        if to_reroll < 0 or lacks_dice:
            return Illegal(
                "show_not_owned",
                say(
                    "{dice} isn't among the {hidden} hidden dice of the seat",
                    dice=quote(move.show),
                    hidden=hidden,
                ),
            )
        if self.rerolls and len(move.rolled or "") != to_reroll:
            return Illegal(
                "wrong_number_of_dice",
                say(
                    "{number} dice are to be rerolled, not {given}",
                    number=to_reroll,
                    given=len(move.rolled or ""),
                ),
            )
        return None

    def count(self) -> int:
        """Return how many dice match the last bid, hidden and laid out ones. The dice must be
        known."""
        return matching("".join(self.shown + (self.cups or [])), FACE[self.bid])

    def count_bounds(self) -> tuple[int, int]:
        """Return the least and the greatest number of dice that can match the last bid, whatever
        lies under the cups."""
        open_dice = "".join(self.shown)
        least = matching(open_dice, FACE[self.bid])
        return least, sum(self.owned) - len(open_dice) + least
