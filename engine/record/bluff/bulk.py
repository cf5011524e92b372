"""Settle stored games of Bluff straight from their bytes, fast enough for millions of rounds.

No round needs an object of its own: the start of a round is made once and reused, and so is the
result of each bet from there. Most rounds are plain: they have their bids, nobody lays out or
leaves, and the opener follows from the rounds before. These take the fewest steps;
`engine.record.bluff.any_round` settles the others. A game with a fault, or with more than five dice
a seat, is unpacked instead (`engine.record.bluff.compact`).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.bluff.finish import Exit
from engine.bluff.game import Game
from engine.bluff.hand import matching
from engine.bluff.track import COUNT, FACE, FACES, NO_BID
from engine.clock import CLOCK
from engine.record.bluff.any_round import BIDS, ONE_BYTE, WITH_HANDS, settle_any
from engine.record.bluff.compact import LAY_OUT, LEVELS, hands_of
from engine.record.bluff.round_start import RoundStart, Settled, round_start, settle_bet
from engine.record.bluff.settle import ending
from engine.record.kind import Ending

PLAIN: Final = (*WITH_HANDS, BIDS)
"""First bytes of plain rounds: the hands follow, or (`BIDS`) the number of matching dice; then the
bids.
"""
BY_CLOCK: Final = bytes([LEVELS.index(CLOCK)])
"""The stored mark that time was up, which can only come last (Ruling B20)."""


def _matches(face: int) -> tuple[bytes, ...]:
    """Return for each number of dice how many dice of each hand match `face`, a byte a hand."""
    by_dice = []
    for dice in range(ONE_BYTE + 1):
        by_dice.append(bytes([matching(hand, face) for hand in hands_of(dice).texts]))
    return tuple(by_dice)


MATCHES: Final = tuple([_matches(face) for face in range(len(FACES) + 1)])
"""By face, number of dice, and place of the hand: the number of matching dice (Ruling B7)."""


def bulk(game: Game, bodies: Sequence[bytes]) -> Ending | None:
    """Return the end of a game by its stored rounds; None if they can't be settled here.

    `game` hasn't begun, and isn't changed.
    """
    if game.rules.dice > ONE_BYTE:
        return None
    (opener,) = game.openers
    start = round_start(game.rules, tuple(game.owned), opener)
    exits: list[Exit] = []
    by_clock = len(bodies) > 0 and bodies[-1] == BY_CLOCK
    rounds = bodies[:-1] if by_clock else bodies
    try:
        for body in rounds:
            settled = settle_stored(start, body)
            if settled is None:
                return None
            start, seats_out = settled
            if seats_out is not None:
                exits.append(seats_out)
    except (IndexError, StopIteration):
        return None
    if by_clock and (start.seats == 1 or start.after_void):
        return None
    return _ending(start, tuple(exits), by_clock)


def settle_stored(start: RoundStart, body: bytes) -> Settled | None:
    """Return the result of a stored round; None if it has a fault, or can't be settled here.

    Bytes that aren't a round may also raise IndexError or StopIteration. Rulings B4, B6 to B11: a
    round from its first bid to the next opener.
    """
    level = body[0]
    if level not in PLAIN or (start.rules.reroll and LAY_OUT in body):
        return settle_any(start, body)
    first_bid = 2 if level == BIDS else start.bids
    last = NO_BID
    for bid in body[first_bid:]:
        if bid <= last:
            return None
        last = bid
    if last == NO_BID:
        return None
    if level == BIDS:
        count = body[1]
        if count > start.dice:
            return None
    else:
        count = 0
        matches = MATCHES[FACE[last]]
        for place, dice in enumerate(start.hands, 1):
            count += matches[dice][body[place]]
    turns_after_opener = len(body) - first_bid - 1
    # One number for the difference and the bidder: the key of the results that are stored.
    bet = (count - COUNT[last]) * start.seats + turns_after_opener % start.seats
    return start.after.get(bet) or settle_bet(start, bet)


@lru_cache(maxsize=1 << 14)
def _ending(start: RoundStart, exits: tuple[Exit, ...], by_clock: bool) -> Ending:
    game = start.game()
    game.exits = list(exits)
    if by_clock:
        game.end_by_clock()
    return ending(game)
