"""Stored rounds of Bluff of every kind, settled straight from their bytes: those that aren't plain.

So are rounds with a lay-out, void ones, those that tell only the last bid or the losses, and seats
that leave. A round that is the last of its game and has no end goes the longer way
(`engine.record.bluff.compact`), and so does any with a fault."""

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
"""Dice of the largest hand whose place takes one byte."""
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
"""First bytes of the rounds that are settled here, but for the marks that the opener is told and,
of a void round, that it had come to a challenge."""
HANDS: Final = tuple([hands_of(dice).texts for dice in range(ONE_BYTE + 1)])
"""By number of dice and place: a hand."""
Moves: TypeAlias = tuple[int, int, str]
"""All that the moves of a round tell: their number, the last bid, and the dice laid out."""


def settle_any(start: RoundStart, body: bytes) -> Settled | None:
    """Return what came of a stored round; None if it has a fault, or isn't settled here.

    IndexError or StopIteration for bytes that are no round.
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
        return _settle_void(
            start, data, dealt=kind & ~ENDED == VOID_DEALT, challenge=bool(kind & ENDED)
        )
    return None


def _settle_moveless(start: RoundStart, body: bytes) -> Settled | None:
    """A round of which only the losses are told, or seats that leave between two rounds. Rulings
    B8, B9 (R, S, B), B17."""
    game, at = start.game(), 1
    if game.over:
        return None
    if body[0] & OPENER:
        if start.opener is not None or game.open(body[1]) is not None:
            return None
        at = 2
    rest = body[at:]
    if body[0] & ~OPENER == RESULT:
        losses = tuple([dice - 1 for dice in rest])
        good = len(losses) == len(start.owned) and not isinstance(
            game.finish_untold(losses), Illegal
        )
    else:
        leavers = seats_of(rest[0])
        good = (
            len(rest) == 1 and len(leavers) > 0 and not isinstance(game.forfeit(leavers), Illegal)
        )
    if not good:
        return None
    end = start.moveless[body] = settled(game)
    return end


def _settle_hands(start: RoundStart, data: Iterator[int], *, dealt: bool) -> Settled | None:
    """A round that tells the hands, as they were rolled (`dealt`) or as they lay when the cups went
    up."""
    cups = _cups(start, data)
    moves = _moves(start, data, cups, rolled=dealt)
    if moves is None:
        return None
    number, bid, open_dice = moves
    return _settle_bet(start, bid, matching("".join(cups) + open_dice, FACE[bid]), number - 1)


def _settle_count(start: RoundStart, data: Iterator[int], *, last_alone: bool) -> Settled | None:
    """A round that tells how many dice match, and all bids or the last one alone; then every seat
    from the opener on bid something lower. Rulings B4, B6, B7 (R, S)."""
    place = 0
    if last_alone:
        challenger, bidder = divmod(next(data), 16)
        if bidder not in start.live:
            return None
        place = start.live.index(bidder)
        if challenger != start.live[(place + 1) % start.seats]:
            return None
    count = next(data)
    moves = _moves(start, data, None, place)
    if moves is None:
        return None
    number, bid, open_dice = moves
    if last_alone and (number > 1 or bid < place):
        return None
    least = matching(open_dice, FACE[bid])
    if not least <= count <= start.dice - len(open_dice) + least:
        return None
    return _settle_bet(start, bid, count, place + number - 1)


def _settle_bet(start: RoundStart, bid: int, count: int, turn: int) -> Settled | None:
    """Return what comes of a bid of which so many dice are there, by who is so many turns after the
    opener; None if there is no bid."""
    if bid == NO_BID:
        return None
    bet = (count - COUNT[bid]) * start.seats + turn % start.seats
    return start.after.get(bet) or settle_bet(start, bet)


def _settle_void(
    start: RoundStart, data: Iterator[int], *, dealt: bool, challenge: bool
) -> Settled | None:
    """A void round; one that had come to a challenge isn't void because somebody left. Rulings B17,
    B18."""
    leavers = next(data)
    moves = _moves(start, data, _cups(start, data) if dealt else None, rolled=dealt)
    if moves is None:
        return None
    _, bid, _ = moves
    if challenge and (leavers or bid == NO_BID):
        return None
    return start.voids.get(leavers) or settle_void(start, leavers)


def _cups(start: RoundStart, data: Iterator[int]) -> list[str]:
    """The hand of each seat."""
    return [HANDS[dice][next(data)] if dice else "" for dice in start.owned]


def _moves(
    start: RoundStart,
    data: Iterator[int],
    cups: list[str] | None,
    place: int = 0,
    *,
    rolled: bool = False,
) -> Moves | None:
    """The moves from the seat at that place of `live` on, in which the dice under the cups change
    where they are known; None if one is against the rules. Rulings B4, B14 (R, S).

    `rolled`: a lay-out tells what was rerolled.
    """
    live, seats, hidden = start.live, start.seats, list(start.owned)
    number, last, open_dice = 0, NO_BID, ""
    for byte in data:
        if byte < LAY_OUT:
            if byte <= last:
                return None
            last = byte
        else:
            bid = next(data)
            seat = live[(place + number) % seats]
            show = HANDS[next(data)][next(data)]
            stay = hidden[seat] - len(show)
            if byte > LAY_OUT or bid <= last or not start.rules.reroll or not show or stay < 1:
                return None
            last = bid
            open_dice += show
            hidden[seat] = stay
            if cups is not None:
                rest = without(cups[seat], show)
                if rest is None:
                    return None
                if rolled:
                    rest = HANDS[next(data)][next(data)]
                    if len(rest) != stay:
                        return None
                cups[seat] = rest
        number += 1
    return number, last, open_dice
