"""Settle stored rounds of Bluff of every kind straight from their bytes, not only the plain ones.

Besides these there are rounds with a lay-out, void rounds, rounds with only the last bid or only
the losses, and seats that leave. A round that isn't finished, and a round with a fault, is unpacked
instead (`engine.record.bluff.compact`).
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from engine.bluff.hand import matching, without
from engine.bluff.track import COUNT, FACE, NO_BID
from engine.illegal import Illegal
from engine.record.bluff.compact import COUNT as COUNTED
from engine.record.bluff.compact import ENDED, LAY_OUT, LEVELS, OPENER, VOID, hands_of
from engine.record.bluff.round_start import (
    RoundStart,
    Settled,
    round_start,
    seats_of,
    settle_bet,
    settle_void,
    settled,
)

ONE_BYTE: Final = 5
"""The most dice of a hand whose place fits in one byte."""
DEALT: Final = LEVELS.index("dealt") | ENDED
DICE: Final = LEVELS.index("dice") | ENDED
BIDS: Final = LEVELS.index("bids") | ENDED | COUNTED
CHALLENGE: Final = LEVELS.index("challenge") | ENDED | COUNTED
RESULT: Final = LEVELS.index("result")
FORFEIT: Final = LEVELS.index("forfeit")
VOID_DEALT: Final = LEVELS.index("dealt") | VOID
VOID_BIDS: Final = LEVELS.index("bids") | VOID
MOVELESS: Final = (RESULT, FORFEIT)
WITH_HANDS: Final = (DEALT, DICE)
WITH_COUNT: Final = (BIDS, CHALLENGE)
VOID_ROUNDS: Final = (VOID_BIDS, VOID_DEALT)
"""First bytes of the rounds settled here, without the flags for a recorded opener and, in a void
round, for a challenge.
"""
HANDS: Final = tuple([hands_of(dice).texts for dice in range(ONE_BYTE + 1)])
"""The hands by number of dice and place."""


Moves: TypeAlias = tuple[int, int, str]
"""The moves of a round: their number, the last bid, and the dice laid out."""


def settle_any(start: RoundStart, body: bytes) -> Settled | None:
    """Return the result of a stored round; None if it has a fault, or isn't settled here.

    Raise IndexError or StopIteration for bytes that aren't a round.
    """
    first = body[0]
    kind = first & ~OPENER
    if kind in MOVELESS:
        return start.moveless.get(body) or _settle_moveless(start, body)

    data = iter(body)
    next(data)
    if first & OPENER:
        seat = next(data)
        if start.opener is not None or seat not in start.openers:
            return None
        start = round_start(start.rules, start.owned, seat, after_void=start.after_void)
    if start.opener is None:
        return None
    if kind in WITH_HANDS:
        return _settle_hands(start, data, dealt=kind == DEALT)
    if kind in WITH_COUNT:
        return _settle_count(start, data, last_alone=kind == CHALLENGE)
    if kind & ~ENDED in VOID_ROUNDS:
        dealt = kind & ~ENDED == VOID_DEALT
        return _settle_void(start, data, dealt=dealt, challenge=bool(kind & ENDED))
    return None


def _settle_moveless(start: RoundStart, body: bytes) -> Settled | None:
    """Settle a round with only its losses (Rulings B8, B9), or with only the seats that leave
    (Ruling B17)."""
    game = start.game()
    if game.over:
        return None
    rest = body[1:]
    if body[0] & OPENER:
        if start.opener is not None or game.open(rest[0]) is not None:
            return None
        rest = rest[1:]

    if body[0] & ~OPENER == RESULT:
        losses = tuple([dice - 1 for dice in rest])
        if len(losses) != len(start.owned):
            return None
        out = game.finish_untold(losses)
    else:
        leavers = seats_of(rest[0])
        if len(rest) > 1 or not leavers:
            return None
        out = game.forfeit(leavers)
    if isinstance(out, Illegal):
        return None
    result = settled(game)
    start.moveless[body] = result
    return result


def _settle_hands(start: RoundStart, data: Iterator[int], *, dealt: bool) -> Settled | None:
    cups = _read_cups(start, data)
    moves = _read_moves(start, data, cups, rolled=dealt)
    if moves is None:
        return None
    number, bid, open_dice = moves
    count = matching("".join(cups) + open_dice, FACE[bid])
    return _settle_bet(start, bid, count, turn=number - 1)


def _settle_count(start: RoundStart, data: Iterator[int], *, last_alone: bool) -> Settled | None:
    """Settle a round with the number of matching dice.

    `last_alone`: only the last bid is recorded, so every seat from the opener to the bidder must
    have bid something lower (Rulings B4, B6)."""
    place = 0
    if last_alone:
        challenger, bidder = divmod(next(data), 16)
        if bidder not in start.live:
            return None
        place = start.live.index(bidder)
        if challenger != start.live[(place + 1) % start.seats]:
            return None
    count = next(data)
    moves = _read_moves(start, data, cups=None, place=place)
    if moves is None:
        return None
    number, bid, open_dice = moves
    # Each seat before the bidder made a bid, so at least `place` bids are lower than this one.
    if last_alone and (number > 1 or bid < place):
        return None
    least = matching(open_dice, FACE[bid])
    most = start.dice - len(open_dice) + least
    if not least <= count <= most:
        return None
    return _settle_bet(start, bid, count, turn=place + number - 1)


def _settle_bet(start: RoundStart, bid: int, count: int, turn: int) -> Settled | None:
    """Settle a bid that `count` dice match, by the seat `turn` turns after the opener.

    None without a bid.
    """
    if bid == NO_BID:
        return None
    # One number for the difference and the bidder: the key of the results that are stored.
    bet = (count - COUNT[bid]) * start.seats + turn % start.seats
    return start.after.get(bet) or settle_bet(start, bet)


def _settle_void(
    start: RoundStart, data: Iterator[int], *, dealt: bool, challenge: bool
) -> Settled | None:
    leavers = next(data)
    cups = _read_cups(start, data) if dealt else None
    moves = _read_moves(start, data, cups, rolled=dealt)
    if moves is None:
        return None
    _, bid, _ = moves
    # A seat that leaves after the challenge doesn't make the round void: Ruling B17.
    if challenge and (leavers or bid == NO_BID):
        return None
    return start.voids.get(leavers) or settle_void(start, leavers)


def _read_cups(start: RoundStart, data: Iterator[int]) -> list[str]:
    """Return the hand of each seat, empty for a seat without dice."""
    return [HANDS[dice][next(data)] if dice else "" for dice in start.owned]


def _read_moves(
    start: RoundStart,
    data: Iterator[int],
    cups: list[str] | None,
    place: int = 0,
    *,
    rolled: bool = False,
) -> Moves | None:
    """Read moves, the first by the seat at `place` of `live`; None if one breaks a rule (Rulings
    B4, B14).

    Change `cups` with each lay-out. `rolled`: lay-outs come with the dice rolled again."""
    live = start.live
    seats = start.seats
    hidden = list(start.owned)
    number = 0
    last = NO_BID
    open_dice = ""
    for byte in data:
        if byte < LAY_OUT:
            if byte <= last:
                return None
            last = byte
            number += 1
            continue

        seat = live[(place + number) % seats]
        number += 1
        bid = next(data)
        show = HANDS[next(data)][next(data)]
        left = hidden[seat] - len(show)
        if byte > LAY_OUT or bid <= last or not start.rules.reroll or not show or left < 1:
            return None
        last = bid
        open_dice += show
        hidden[seat] = left
        if cups is None:
            continue

        rest = without(cups[seat], show)
        if rest is None:
            return None
        if rolled:
            rest = HANDS[next(data)][next(data)]
            if len(rest) != left:
                return None
        cups[seat] = rest
    return number, last, open_dice
