"""The starts of rounds of Bluff, each made once for millions of stored rounds, with results so far.

It keeps little in memory: a walk over many games waits for memory more than for anything else.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from engine.bluff.finish import Exit
from engine.bluff.game import Game
from engine.bluff.ruleset import Ruleset
from engine.bluff.showdown import clockwise
from engine.illegal import Illegal

REMEMBERED: Final = 1 << 15
"""The most starts kept at once; with all results from each they take some 30 MB."""


@dataclass(frozen=True, slots=True, eq=False)
class RoundStart:
    """The start of a round; equal starts are the same object as long as they are cached.

    `opener` is the seat that opens. It is None if the round before records only its losses, so that
    each of the `openers` may be the one; else `openers` has the opener alone. `after_void` is True
    if the round before was void. `live` are the seats that own dice, clockwise from the first
    possible opener; `seats` is their number; `hands` is how many dice each of them owns, in seat
    order. `dice` is the number of dice of all seats together. `bids` is the index of the first bid
    in the bytes of a stored round with hands.

    The results computed so far are in `after` by bet, in `voids` by the bits of the seats that left
    in a void round, and in `moveless` by the stored form of a round without moves. A bet is one
    number: the matching dice minus the count of the bid, times `seats`, plus the index of the
    bidder in `live`.
    """

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
        """Return a game that is about to play this round.

        All seats are in it, but `exits`, the list of seats that went out, has only those that go
        out from here on."""
        game = Game(self.rules, len(self.owned), self.openers[0])
        game.owned = list(self.owned)
        game.opener = self.opener
        game.openers = self.openers
        # A void round is due to be played again before the game can end.
        game.due = self.after_void
        return game


class Settled(NamedTuple):
    """The result of a round: the start of the next one, and the seats that went out, if any."""

    following: RoundStart
    seats_out: Exit | None


@lru_cache(maxsize=REMEMBERED)
def round_start(
    rules: Ruleset,
    owned: tuple[int, ...],
    opener: int | None,
    openers: tuple[int, ...] = (),
    *,
    after_void: bool = False,
) -> RoundStart:
    """Return the start of a round with these dice, at most five a seat.

    If the `opener` is None, one of the `openers` opens.
    """
    if opener is not None:
        openers = (opener,)
    after = clockwise(owned)
    live = [openers[0]]
    while after[live[-1]] != live[0]:
        live.append(after[live[-1]])
    return RoundStart(
        rules=rules,
        owned=owned,
        opener=opener,
        openers=openers,
        after_void=after_void,
        live=tuple(live),
        hands=tuple([dice for dice in owned if dice]),
        seats=len(live),
        dice=sum(owned),
        bids=1 + len(live),
    )


def settled(game: Game) -> Settled:
    """Return the result of the one round that was played in a game made by `RoundStart.game`."""
    openers = game.openers if game.opener is None else ()
    following = round_start(
        game.rules, tuple(game.owned), game.opener, openers, after_void=game.due
    )
    seats_out = game.exits[0] if game.exits else None
    return Settled(following, seats_out)


def settle_bet(start: RoundStart, bet: int) -> Settled | None:
    """Compute, store and return the result of a bet, given as one number: the matching dice minus
    the count of the bid, times `start.seats`, plus the index of the bidder in `start.live`.

    None if no seat is left to challenge it, or the opener isn't known.
    """
    if start.seats == 1 or start.opener is None:
        return None
    difference, turn = divmod(bet, start.seats)
    bidder = start.live[turn]
    challenger = start.live[(turn + 1) % start.seats]
    game = start.game()
    # Any bid does: the loss depends on the difference alone.
    bid = max(0, -difference)
    game.settle(bidder, challenger, bid, count=bid + difference)
    result = settled(game)
    start.after[bet] = result
    return result


def settle_void(start: RoundStart, leavers: int) -> Settled | None:
    """Compute, store and return the result of a void round. `leavers`: the seats that leave, one
    bit each.

    None if they can't leave. Raise IndexError if there are no such seats.
    """
    if start.seats == 1:
        return None
    game = start.game()
    game.void()
    if leavers and isinstance(game.forfeit(seats_of(leavers)), Illegal):
        return None
    result = settled(game)
    start.voids[leavers] = result
    return result


def seats_of(bits: int) -> tuple[int, ...]:
    """Return the seats of the bits that are set."""
    return tuple([seat for seat in range(bits.bit_length()) if bits >> seat & 1])
