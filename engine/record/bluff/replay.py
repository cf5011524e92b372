"""Stored rounds of Bluff checked straight from their bytes, for millions of them.

A round whose dice and bids are all told and which has no lay-out is settled from its bytes; any other, and
one that has a fault, is unpacked and checked as a record is.
"""

from dataclasses import replace
from operator import neg
from typing import Final

from engine.bluff.game import Game
from engine.bluff.hand import matching
from engine.bluff.showdown import clockwise
from engine.bluff.track import BIDS, COUNT, FACE, NO_BID
from engine.illegal import Illegal
from engine.record.bluff.compact import ENDED, LEVELS, hands_of, unpack_round
from engine.record.bluff.settle import GAME_OVER, RoundResult, check_round

ONE_BYTE: Final = 5
"""Dice of the largest hand whose place takes one byte."""
MATCHES: Final = tuple(
    tuple([tuple([matching(hand, face) for face in range(1, 7)]) for hand in hands_of(dice).texts])
    for dice in range(ONE_BYTE + 1)
)
"""By dice, place of the hand, and face less one: how many dice match. Ruling B7 (R, S)."""
PLAIN: Final = (LEVELS.index("dealt") | ENDED, LEVELS.index("dice") | ENDED)


def replay_round(game: Game, data: bytes, i: int, *, last: bool) -> RoundResult | Illegal:
    """Play stored round `i` on in `game`: what came of it, or its first fault; see `check_round`.

    ValueError if the bytes are no round.
    """
    if game.over:
        return replace(GAME_OVER, round=i)
    if data and data[0] in PLAIN and game.opener is not None and game.rules.dice <= ONE_BYTE:
        result = _replay_plain(game, data, game.opener)
        if result is not None:
            return result
    checked = check_round(game, unpack_round(data, game.owned), f"rounds[{i}]", last=last)
    return replace(checked, round=i) if isinstance(checked, Illegal) else checked


def _replay_plain(game: Game, data: bytes, opener: int) -> RoundResult | None:
    """The plain round settled; None, and nothing done, if its bytes aren't in order.

    Rulings B4, B6, B7 (R, S).
    """
    rows: list[tuple[int, ...]] = []
    at = 1
    try:
        for dice in game.owned:
            if dice:
                rows.append(MATCHES[dice][data[at]])
                at += 1
    except IndexError:
        return None
    after = clockwise(game.owned)
    last, bidder, turn = NO_BID, opener, opener
    for bid in data[at:]:
        if bid <= last:
            return None
        last, bidder, turn = bid, turn, after[turn]
    if not NO_BID < last < BIDS:
        return None
    face = FACE[last] - 1
    count = 0
    for row in rows:
        count += row[face]
    lost, out = game.settle(bidder, turn, COUNT[last], count)
    return RoundResult(opener, bidder, turn, last, count, tuple(map(neg, lost)), out)
