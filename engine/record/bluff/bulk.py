"""Stored rounds of Bluff settled straight from their bytes, for millions of them.

No round needs an object of its own: what a round starts from is made once, and so is what each bet makes of it. Most
rounds are plain: they tell their bids, nobody lays out or leaves, and the rounds before tell who opens. These are
settled in one loop, the others one by one (`engine.record.bluff.any_round`); a game with a fault, or with more than
five dice a seat, goes the longer way of unpacking (`engine.record.bluff.compact`).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.bluff.finish import Exit
from engine.bluff.game import Game
from engine.bluff.hand import matching
from engine.bluff.track import COUNT, FACE, FACES, NO_BID
from engine.clock import CLOCK
from engine.record.bluff.any_round import BIDS, DEALT, MOVE, ONE_BYTE, WITH_HANDS, settle_any
from engine.record.bluff.compact import LAY_OUT, LEVELS, hands_of
from engine.record.bluff.round_start import RoundStart, Settled, round_start, settle_bet
from engine.record.bluff.settle import ending
from engine.record.kind import Bulk, Ending

PLAIN: Final = (*WITH_HANDS, BIDS)
"""First bytes of plain rounds: the hands follow, or (`BIDS`) how many dice match; then the bids."""
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
        if level in WITH_HANDS:
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
    return start.after.get(bet) or settle_bet(start, bet)


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
    except (IndexError, StopIteration):
        return None


def _walk(start: RoundStart, bodies: Sequence[bytes], by_clock: bool) -> Bulk | None:
    """The same from the start of its first round on, without the mark that time was up.

    It raises IndexError or StopIteration for bytes that are no round, too.

    It settles each plain round as `settle_stored` does, but tells it in the same pass over its bytes, and does all of
    them in one loop: a call for each round, or a pass of its own for its text, would make it slower.
    """
    canonical: list[bytes] = []
    exits: list[Exit] = []
    reroll = start.rules.reroll
    for body in bodies:
        level = body[0]
        if level not in PLAIN or (reroll and LAY_OUT in body):
            seldom = settle_any(start, body)
            if seldom is None:
                return None
            text, (start, gone) = seldom
            canonical.append(text)
            if gone is not None:
                exits.append(gone)
            continue
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
            else:
                canonical.append(f'{{"moves":[{moves}"!"],"revealed":[{hands[:-1]}]}}'.encode())
        seats = start.seats
        bet = (count - COUNT[last]) * seats + (len(body) - at - 1) % seats
        settled = start.after.get(bet) or settle_bet(start, bet)
        if settled is None:
            return None
        start, gone = settled
        if gone is not None:
            exits.append(gone)
    if by_clock:
        if start.seats == 1 or start.after_void:
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
