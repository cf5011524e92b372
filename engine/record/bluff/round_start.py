"""All that a round of Bluff starts from, made once for millions of stored rounds, with all that
came of it so far.

What is remembered is kept small: a walk over many games waits for memory more than for anything
else."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from engine.bluff.finish import Exit
from engine.bluff.game import Game
from engine.bluff.ruleset import Ruleset
from engine.bluff.showdown import clockwise
from engine.illegal import Illegal

REMEMBERED: Final = 1 << 15
"""Starts of rounds that are remembered at once: with all that follows from each some 30 MB."""


@dataclass(frozen=True, slots=True, eq=False)
class RoundStart:
    """All that a round starts from; each is the same object as long as it is remembered.

    `opener`, `openers`: as in `Game`; the opener is None where the round before tells only its
    losses. `after_void`: the round before was void. `live`: the seats that own dice, clockwise from
    the first who may open; `seats`: how many these are; `hands`: their dice, in seat order. `dice`:
    in the whole game. `bids`: where the bids begin in a round that tells the hands.

    All that came of rounds, as far as it was asked for: `after` of bets, `voids` of void rounds by
    the bits of the seats that left in them, `moveless` of rounds that tell no moves by their stored
    form. A bet is one number: how many more dice match than the bid says, times `seats`, plus the
    place of the bidder in `live`."""

    rules: Ruleset
    owned: tuple[int, ...]
    opener: int | None
    openers: tuple[int, ...]
    after_void: bool
    live: tuple[int, ...]
    hands: tuple[int, ...]
    seats: int
    dice: int
    bids: int
    after: "dict[int, Settled]" = field(default_factory=dict, repr=False)
    voids: "dict[int, Settled]" = field(default_factory=dict, repr=False)
    moveless: "dict[bytes, Settled]" = field(default_factory=dict, repr=False)

    def game(self) -> Game:
        """A game that stands here; who went out before isn't in it."""
        game = Game(self.rules, len(self.owned), self.openers[0])
        game.owned = list(self.owned)
        game.opener, game.openers = self.opener, self.openers
        game.due = self.after_void
        return game


class Settled(NamedTuple):
    """All that came of a round: the start of the next (of none, if one seat is left), and who went
    out, if anybody."""

    following: RoundStart
    gone: Exit | None


@lru_cache(maxsize=REMEMBERED)
def round_start(
    rules: Ruleset,
    owned: tuple[int, ...],
    opener: int | None,
    openers: tuple[int, ...] = (),
    *,
    after_void: bool = False,
) -> RoundStart:
    """A round in which these dice are owned, nobody owning more than five, and which that seat
    opens, or, if it is None, one of `openers`."""
    openers = openers if opener is None else (opener,)
    after = clockwise(owned)
    live = [openers[0]]
    while after[live[-1]] != live[0]:
        live.append(after[live[-1]])
    hands = tuple([dice for dice in owned if dice])
    return RoundStart(
        rules,
        owned,
        opener,
        openers,
        after_void,
        tuple(live),
        hands,
        len(live),
        sum(owned),
        1 + len(live),
    )


def settled(game: Game) -> Settled:
    """All that came of the round by which a game that a start gave has come to stand as it does."""
    openers = game.openers if game.opener is None else ()
    following = round_start(
        game.rules, tuple(game.owned), game.opener, openers, after_void=game.due
    )
    return Settled(following, game.exits[0] if game.exits else None)


def settle_bet(start: RoundStart, bet: int) -> Settled | None:
    """Return what comes of a bet that wasn't asked for yet; None if nobody is left to challenge it,
    or who opened isn't told. Rulings B8 to B11 (R, S, B)."""
    if start.seats == 1 or start.opener is None:
        return None
    surplus, turn = divmod(bet, start.seats)
    game = start.game()
    bid = max(0, -surplus)  # what is lost depends on the difference alone
    game.settle(start.live[turn], start.live[(turn + 1) % start.seats], bid, bid + surplus)
    end = start.after[bet] = settled(game)
    return end


def settle_void(start: RoundStart, leavers: int) -> Settled | None:
    """Return what comes of a void round in which seats leave, one bit each; None if they can't.
    Rulings B17, B18.

    IndexError if there are no such seats.
    """
    if start.seats == 1:
        return None
    game = start.game()
    game.void()
    if leavers and isinstance(game.forfeit(seats_of(leavers)), Illegal):
        return None
    end = start.voids[leavers] = settled(game)
    return end


def seats_of(bits: int) -> tuple[int, ...]:
    """The seats of a bit each."""
    return tuple([seat for seat in range(bits.bit_length()) if bits >> seat & 1])
