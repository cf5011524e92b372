"""Settle one recorded round of Bluff at any level of detail.

Play, checks, replays and verification all settle rounds here.
"""

from dataclasses import replace
from operator import neg, sub
from typing import Final, NamedTuple

from engine.bluff.game import Game
from engine.bluff.round import NOBODY, Round
from engine.bluff.track import NO_BID, TEXT
from engine.clock import CLOCK, Ended
from engine.illegal import Illegal
from engine.messages import say
from engine.record.bluff.round import HANDS, NO_MOVES, RoundRecord
from engine.record.kind import Ending
from engine.record.shape import Json

GAME_OVER: Final = Illegal("game_over", say("the game ended before this round"))


class RoundResult(NamedTuple):
    """The result of one round; None for what its level leaves out.

    `bid` is the last bid, 0 to 219. `delta` is the change of each seat's dice. `out` are the seats
    that went out. `forfeit` are the seats that left; `between` is True if they left between two
    rounds, False if in the middle of one. `ended` is set if it isn't a round but what ended the
    game.
    """

    opener: int | None
    bidder: int | None
    challenger: int | None
    bid: int | None
    count: int | None  # type: ignore[assignment]  # hides tuple.count
    delta: tuple[int, ...]
    out: tuple[int, ...]
    forfeit: tuple[int, ...] = ()
    between: bool = False
    ended: Ended | None = None

    def as_json(self) -> dict[str, Json]:
        """Return the result in the format of the checker's answer."""
        dice: dict[str, Json] = {"delta": list(self.delta), "out": list(self.out)}
        if self.ended is not None:
            return {"ended": self.ended, **dice}
        if self.between:
            return {"forfeit": list(self.forfeit), **dice}
        keys: dict[str, Json] = {
            "opener": self.opener,
            "bidder": self.bidder,
            "challenger": self.challenger,
            "bid": None if self.bid is None else TEXT[self.bid],
            "count": self.count,
            **dice,
        }
        if self.forfeit:
            keys["forfeit"] = list(self.forfeit)
        return keys


def settle(
    game: Game, record_round: RoundRecord, path: str, last: bool = True
) -> RoundResult | Illegal:
    """Play one recorded round in `game`, and return its result or its first fault.

    After a fault the state of the game is undefined. `path`: of the round in the record. `last`:
    whether it is the last round of the record, which alone may lack its end.
    """
    if record_round.level == CLOCK and game.ended is None:
        return _end_by_clock(game, path)
    if game.over:
        return replace(GAME_OVER, path=path)
    wrong = _check_opener(game, record_round, path)
    if wrong is not None:
        return wrong

    opener = game.opener
    if record_round.level == "forfeit":
        without_play = _result_without_bet(opener, delta=(), between=True)
        return _let_seats_leave(game, record_round, path, without_play)
    if record_round.level == "result":
        return _settle_by_losses(game, record_round, path)
    played = _play(game, record_round, path)
    if isinstance(played, Illegal):
        return played

    bidder = None if played.bidder == NOBODY else played.bidder
    bid = None if played.bid == NO_BID else played.bid
    nothing_lost = (0,) * game.seats
    so_far = _result_without_bet(opener, bidder=bidder, bid=bid, delta=nothing_lost)
    if record_round.void:
        game.void()
        if not record_round.forfeit:
            return so_far
        return _let_seats_leave(game, record_round, path, so_far)
    if played.challenger == NOBODY:
        return _check_unfinished(record_round, path, so_far, last=last)
    return _settle_bet(game, record_round, path, played)


def _result_without_bet(
    opener: int | None,
    *,
    delta: tuple[int, ...],
    out: tuple[int, ...] = (),
    bidder: int | None = None,
    bid: int | None = None,
    between: bool = False,
    ended: Ended | None = None,
) -> RoundResult:
    return RoundResult(
        opener=opener,
        bidder=bidder,
        challenger=None,
        bid=bid,
        count=None,
        delta=delta,
        out=out,
        between=between,
        ended=ended,
    )


def _check_opener(game: Game, record_round: RoundRecord, path: str) -> Illegal | None:
    """Set the opener if the round names it; else return the fault that it isn't known.

    Rulings B10, B17: the winner of the bet opens, or the next seat if that one has left.
    """
    if record_round.opener is not None:
        wrong = game.open(record_round.opener)
        if wrong is not None:
            wrong = replace(wrong, path=f"{path}.opener")
        return wrong
    if game.opener is not None or record_round.level in NO_MOVES:
        return None
    if record_round.moves or record_round.forfeit or not record_round.void:
        return Illegal(
            "bad_record",
            say("is missing: the round before gives only its losses, not who opens"),
            path=f"{path}.opener",
        )
    return None


def _end_by_clock(game: Game, path: str) -> RoundResult | Illegal:
    """End the game because time is up (Ruling B20)."""
    wrong = game.end_by_clock()
    if wrong is not None:
        return replace(wrong, path=f"{path}.ended")
    return _result_without_bet(None, delta=(0,) * game.seats, ended=CLOCK)


def _let_seats_leave(
    game: Game, record_round: RoundRecord, path: str, so_far: RoundResult
) -> RoundResult | Illegal:
    """Let the seats that forfeit leave with their dice (Ruling B17); return the result so far with
    what they lose."""
    owned_before = game.owned
    out = game.forfeit(record_round.forfeit)
    if isinstance(out, Illegal):
        return replace(out, path=f"{path}.forfeit")
    delta = tuple(map(sub, game.owned, owned_before))
    return so_far._replace(delta=delta, out=out, forfeit=record_round.forfeit)


def _settle_by_losses(game: Game, record_round: RoundRecord, path: str) -> RoundResult | Illegal:
    opener = game.opener
    lost = record_round.losses or ()
    out = game.finish_untold(lost)
    if isinstance(out, Illegal):
        return replace(out, path=f"{path}.losses")
    return _result_without_bet(opener, delta=tuple(map(neg, lost)), out=out)


def _play(game: Game, record_round: RoundRecord, path: str) -> Round | Illegal:
    wrong = _check_hands(game, record_round, path)
    if wrong is not None:
        return wrong
    if record_round.bidder is not None:
        wrong = _check_turn(game, record_round, record_round.bidder, path)
        if wrong is not None:
            return wrong
        played = Round(game.rules, game.owned, record_round.bidder)
    else:
        played = game.roll(record_round.hands, rerolls=record_round.level == "dealt")

    for i, move in enumerate(record_round.moves):
        illegal = played.apply(move)
        if illegal is not None:
            return replace(illegal, move=i, path=f"{path}.moves[{i}]")
    if record_round.fault is not None:
        return record_round.fault
    if record_round.forfeit and played.challenger != NOBODY:
        i = len(record_round.moves) - 1
        return Illegal(
            "bad_record",
            say("a challenged round can't be void: its forfeit follows in a separate round"),
            move=i,
            path=f"{path}.moves[{i}]",
        )
    return played


def _check_hands(game: Game, record_round: RoundRecord, path: str) -> Illegal | None:
    if record_round.hands is None:
        return None
    for seat, (hand, dice) in enumerate(zip(record_round.hands, game.owned, strict=True)):
        if len(hand) != dice:
            return Illegal(
                "wrong_number_of_dice",
                say(
                    "seat {seat} owns {owned} dice, not {given}",
                    seat=seat,
                    owned=dice,
                    given=len(hand),
                ),
                path=f"{path}.{HANDS[record_round.level]}[{seat}]",
            )
    return None


def _check_turn(game: Game, record_round: RoundRecord, bidder: int, path: str) -> Illegal | None:
    """Return the fault of a bidder and a challenger whose turn it can't have been.

    The earlier bids aren't recorded, but turns go clockwise (Ruling B6): every seat from the opener
    to the bidder bid something lower."""
    if len(record_round.moves) > 2:
        return Illegal(
            "bad_record", say("can hold only the last bid and the challenge"), path=f"{path}.moves"
        )
    if not game.owned[bidder]:
        return Illegal(
            "wrong_seat",
            say("seat {seat} is out and can't bid", seat=bidder),
            path=f"{path}.bidder",
        )
    turns = game.roll()
    challenger = turns.after[bidder]
    if record_round.challenger != challenger:
        return Illegal(
            "wrong_seat",
            say(
                "after seat {bidder}, only seat {challenger} may challenge",
                bidder=bidder,
                challenger=challenger,
            ),
            path=f"{path}.challenger",
        )

    first_move = next(iter(record_round.moves), NO_BID)
    bid = first_move if isinstance(first_move, int) else first_move.bid
    # Let the seats before the bidder make the lowest bids that they can.
    while turns.turn != bidder:
        turns.apply(turns.bid + 1)
    if NO_BID != bid <= turns.bid:
        return Illegal(
            "wrong_seat",
            say(
                "seat {seat} can't bid {bid}: seat {opener} opened, and nothing lower is left",
                seat=bidder,
                bid=TEXT[bid],
                opener=game.opener,
            ),
            path=f"{path}.bidder",
        )
    return None


def _check_unfinished(
    record_round: RoundRecord, path: str, so_far: RoundResult, *, last: bool
) -> RoundResult | Illegal:
    """Return the result so far of a round without a challenge: only the `last` round can lack one,
    and its cups were never lifted."""
    lifted = (
        record_round.level in ("dice", "challenge")
        or record_round.count is not None
        or record_round.losses is not None
    )
    if last and not lifted:
        return so_far
    return Illegal(
        "no_challenge", say("the moves don't end with a challenge"), path=f"{path}.moves"
    )


def _settle_bet(
    game: Game, record_round: RoundRecord, path: str, played: Round
) -> RoundResult | Illegal:
    """Settle a round that ended with a challenge.

    Rulings B7 to B11: counting, losses, the next opener, the end."""
    opener = game.opener
    count = record_round.count if played.cups is None else played.count()
    if count is None:
        return Illegal("bad_record", say("is missing"), path=f"{path}.count")
    least, most = played.count_bounds()
    if not least <= count <= most:
        return Illegal(
            "count_mismatch",
            say(
                "from {least} to {most} dice can match, not {count}",
                least=least,
                most=most,
                count=count,
            ),
            path=f"{path}.count",
        )

    lost, out = game.finish(played, count)
    if record_round.losses is not None and record_round.losses != lost:
        return Illegal(
            "losses_mismatch",
            say(
                "{count} dice match {bid}: the seats lose {losses}, not {claimed}",
                count=count,
                bid=TEXT[played.bid],
                losses=list(lost),
                claimed=list(record_round.losses),
            ),
            path=f"{path}.losses",
        )
    return RoundResult(
        opener=opener,
        bidder=played.bidder,
        challenger=played.challenger,
        bid=played.bid,
        count=count,
        delta=tuple(map(neg, lost)),
        out=out,
    )


def ending(game: Game) -> Ending:
    """Return the end of a game, with ranks and points once it is over."""
    return Ending(over=game.over, rank=game.rank(), points=game.points(), cntdice=game.cntdice())
