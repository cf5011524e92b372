"""Stored rounds of Bluff settled straight from their bytes, for millions of them.

No round needs an object of its own: what a round starts from is made once, and so is what each bet makes of it. That
serves rounds that have neither a lay-out nor a forfeit, aren't void and tell their bids, and the mark that time was
up; a game with any other round, or with a fault, goes the longer way of unpacking (`engine.record.bluff.compact`).

What is remembered is kept small: a walk over many games waits for memory more than for anything else.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from engine.bluff.finish import Exit
from engine.bluff.game import Game
from engine.bluff.hand import matching
from engine.bluff.ruleset import Ruleset
from engine.bluff.showdown import clockwise
from engine.bluff.track import COUNT, FACE, FACES, NO_BID, TEXT
from engine.clock import CLOCK
from engine.record.bluff.compact import COUNT as COUNTED
from engine.record.bluff.compact import ENDED, LEVELS, hands_of
from engine.record.bluff.settle import ending
from engine.record.kind import Bulk, Ending

ONE_BYTE: Final = 5
"""Dice of the largest hand whose place takes one byte."""
DEALT: Final = LEVELS.index("dealt") | ENDED
DICE: Final = LEVELS.index("dice") | ENDED
HANDS: Final = (DEALT, DICE)
BIDS: Final = LEVELS.index("bids") | ENDED | COUNTED
"""First bytes of the rounds that are settled here: the hands follow, or (`BIDS`) how many dice match; then the bids."""
BY_CLOCK: Final = bytes([LEVELS.index(CLOCK)])
"""The stored form of the mark that time was up, which only the last round can be. Ruling B20."""
CANONICAL_CLOCK: Final = b'{"ended":"clock"}'
MATCHES: Final = tuple(
    [
        tuple([bytes([matching(hand, face) for hand in hands_of(dice).texts]) for dice in range(ONE_BYTE + 1)])
        for face in range(len(FACES) + 1)
    ]
)
"""By face, dice, and place of the hand: how many dice match. Ruling B7 (R, S)."""
HAND: Final = tuple([tuple([f'"{hand}",' for hand in hands_of(dice).texts]) for dice in range(ONE_BYTE + 1)])
NO_HAND: Final = '"",'
"""By dice and place: a hand in canonical form, another one behind it; and that of a seat that is out."""
MOVE: Final = tuple([f'"{text}",' for text in TEXT])
"""Each bid in canonical form, another move behind it."""
REMEMBERED: Final = 1 << 15
"""Starts of rounds that are remembered at once: with all that follows from each some 30 MB."""


@dataclass(frozen=True, slots=True, eq=False)
class RoundStart:
    """All that a round starts from; each is the same object as long as it is remembered.

    `live`: the seats that own dice, clockwise from the opener; `seats`: how many these are; `hands`: their dice, in
    seat order. `dice`: in the whole game. `bids`: where the bids begin in a round that tells the hands. `after`: what
    comes of bets, as far as it was asked for. A bet is one number: how many more dice match than the bid says, times
    `seats`, plus the place of the bidder in `live`.
    """

    rules: Ruleset
    owned: tuple[int, ...]
    live: tuple[int, ...]
    hands: tuple[int, ...]
    seats: int
    dice: int
    bids: int
    after: "dict[int, Settled]" = field(default_factory=dict, repr=False)

    def game(self) -> Game:
        """A game that stands here; who went out before isn't in it."""
        game = Game(self.rules, len(self.owned), self.live[0])
        game.owned = list(self.owned)
        return game


class Settled(NamedTuple):
    """All that came of a round: the start of the next (of none, if one seat is left), and who went out, if anybody."""

    following: RoundStart
    gone: Exit | None


_remembered: dict[tuple[Ruleset, tuple[int, ...], int], RoundStart] = {}


def round_start(rules: Ruleset, owned: tuple[int, ...], opener: int) -> RoundStart:
    """A round in which these dice are owned and that seat opens; nobody owns more than five."""
    start = _remembered.get((rules, owned, opener))
    if start is None:
        if len(_remembered) == REMEMBERED:
            _remembered.clear()
        after = clockwise(owned)
        live = [opener]
        while after[live[-1]] != opener:
            live.append(after[live[-1]])
        hands = tuple([dice for dice in owned if dice])
        start = RoundStart(rules, owned, tuple(live), hands, len(live), sum(owned), 1 + len(live))
        _remembered[rules, owned, opener] = start
    return start


def settle_stored(start: RoundStart, body: bytes) -> Settled | None:
    """Return what came of a stored round; None if it has a fault, or isn't one that is settled here.

    Rulings B4, B6 to B11 (R, S, B).
    """
    try:
        level = body[0]
        at = 2 if level == BIDS else start.bids
        last = NO_BID
        for bid in body[at:]:
            if bid <= last:
                return None
            last = bid
        if last == NO_BID:
            return None
        if level in HANDS:
            count = 0
            matches = MATCHES[FACE[last]]
            for place, dice in enumerate(start.hands, 1):
                count += matches[dice][body[place]]
        elif level == BIDS and body[1] <= start.dice:
            count = body[1]
        else:
            return None
        bet = (count - COUNT[last]) * start.seats + (len(body) - at - 1) % start.seats
    except IndexError:
        return None
    return start.after.get(bet) or _settle(start, bet)


def _settle(start: RoundStart, bet: int) -> Settled | None:
    """Return what comes of a bet; None if nobody is left to challenge it. Rulings B8 to B11 (R, S, B)."""
    if start.seats == 1:
        return None
    surplus, turn = divmod(bet, start.seats)
    game = start.game()
    bid = max(0, -surplus)  # what is lost depends on the difference alone
    game.settle(start.live[turn], start.live[(turn + 1) % start.seats], bid, bid + surplus)
    assert game.opener is not None
    following = round_start(start.rules, tuple(game.owned), game.opener)
    settled = start.after[bet] = Settled(following, game.exits[0] if game.exits else None)
    return settled


def bulk(game: Game, bodies: Sequence[bytes]) -> Bulk | None:
    """The canonical form of stored rounds, and what the game has come to; None if they can't be settled here.

    `game` hasn't begun, and is left so.
    """
    if game.rules.dice > ONE_BYTE:
        return None
    (opener,) = game.openers
    by_clock = len(bodies) > 0 and bodies[-1] == BY_CLOCK
    try:
        return _walk(round_start(game.rules, tuple(game.owned), opener), bodies[:-1] if by_clock else bodies, by_clock)
    except IndexError:
        return None


def _walk(start: RoundStart, bodies: Sequence[bytes], by_clock: bool) -> Bulk | None:
    """The same from the start of its first round on, without the mark that time was up.

    It raises IndexError for bytes that are no round, too.

    It settles each round as `settle_stored` does, but tells it in the same pass over its bytes, and does all rounds in
    one loop: a call for each round, or a pass of its own for its text, would make it slower.
    """
    canonical: list[bytes] = []
    exits: list[Exit] = []
    for body in bodies:
        level = body[0]
        at = 2 if level == BIDS else start.bids
        moves, last = "", NO_BID
        for bid in body[at:]:
            if bid <= last:
                return None
            last = bid
            moves += MOVE[bid]
        if last == NO_BID:
            return None
        if level == BIDS:
            count = body[1]
            if count > start.dice:
                return None
            canonical.append(f'{{"count":{count},"moves":[{moves}"!"]}}'.encode())
        else:
            hands, count, place = "", 0, 0
            matches = MATCHES[FACE[last]]
            for dice in start.owned:
                if dice:
                    place += 1
                    hand = body[place]
                    hands += HAND[dice][hand]
                    count += matches[dice][hand]
                else:
                    hands += NO_HAND
            if level == DEALT:
                canonical.append(f'{{"dealt":[{hands[:-1]}],"moves":[{moves}"!"]}}'.encode())
            elif level == DICE:
                canonical.append(f'{{"moves":[{moves}"!"],"revealed":[{hands[:-1]}]}}'.encode())
            else:
                return None
        seats = start.seats
        bet = (count - COUNT[last]) * seats + (len(body) - at - 1) % seats
        settled = start.after.get(bet) or _settle(start, bet)
        if settled is None:
            return None
        start, gone = settled
        if gone is not None:
            exits.append(gone)
    if by_clock:
        if start.seats == 1:
            return None
        canonical.append(CANONICAL_CLOCK)
    return Bulk(canonical, _ending(start, tuple(exits), by_clock))


@lru_cache(maxsize=1 << 14)
def _ending(start: RoundStart, exits: tuple[Exit, ...], by_clock: bool) -> Ending:
    """Return what a game has come to that stands here, or that the clock ended here, after these seats went out."""
    game = start.game()
    game.exits = list(exits)
    if by_clock:
        game.end_by_clock()
    return ending(game)
