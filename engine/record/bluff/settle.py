"""One recorded round of Bluff played against the rules, at each of the levels of detail."""

from dataclasses import replace
from operator import neg, sub
from typing import Final, NamedTuple

from engine.bluff.game import Game
from engine.bluff.round import NOBODY, Round
from engine.bluff.track import NO_BID, TEXT
from engine.illegal import Illegal
from engine.record.bluff.round import RoundRecord
from engine.record.shape import Json

GAME_OVER: Final = Illegal("game_over", "the game ended before this round")


class RoundResult(NamedTuple):
    """What came of one round; None for what its level doesn't tell.

    `bid`: the last bid, 0 to 219. `delta`: change of each seat's dice. `out`: seats that went out. `forfeit`:
    seats that left; `between`: they did so between two rounds.
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

    def as_json(self) -> dict[str, Json]:
        """The result as the checker answers it."""
        left: dict[str, Json] = {"forfeit": list(self.forfeit)} if self.forfeit else {}
        dice: dict[str, Json] = {"delta": list(self.delta), "out": list(self.out)}
        if self.between:
            return left | dice
        bets: dict[str, Json] = {
            "opener": self.opener,
            "bidder": self.bidder,
            "challenger": self.challenger,
            "bid": None if self.bid is None else TEXT[self.bid],
            "count": self.count,
        }
        return bets | dice | left


def check_round(game: Game, told: RoundRecord, path: str, *, last: bool) -> RoundResult | Illegal:
    """Play one recorded round on in `game`: what came of it, or its first fault.

    `game` isn't over; after a fault its state means nothing any more. `path` names the round in the record.
    Only the `last` round of a record may lack its end.
    """
    wrong = _check_opener(game, told, path)
    if wrong is not None:
        return wrong
    opener = game.opener
    if told.level == "forfeit":
        return _leave(game, told, path, RoundResult(opener, None, None, None, None, (), (), between=True))
    if told.level == "result":
        return _settle_untold(game, told, path)
    played = _play(game, told, path)
    if isinstance(played, Illegal):
        return played
    bidder = None if played.bidder == NOBODY else played.bidder
    bid = None if played.bid == NO_BID else played.bid
    so_far = RoundResult(opener, bidder, None, bid, None, (0,) * game.seats, ())
    if told.void:
        return _leave(game, told, path, so_far)
    if played.challenger == NOBODY:
        return _check_unfinished(told, path, so_far, last=last)
    return _settle(game, told, path, played)


def _check_opener(game: Game, told: RoundRecord, path: str) -> Illegal | None:
    """Learn or check who opens. Rulings B10 (R, S), B17."""
    if told.opener is not None:
        wrong = game.open(told.opener)
        return None if wrong is None else replace(wrong, path=f"{path}.opener")
    if game.opener is None and told.level not in ("result", "forfeit"):
        message = "is missing: the round before tells only its losses, so not who opens"
        return Illegal("bad_record", message, path=f"{path}.opener")
    return None


def _leave(game: Game, told: RoundRecord, path: str, so_far: RoundResult) -> RoundResult | Illegal:
    """Seats leave, between two rounds or in the middle of one that is void by it. Ruling B17."""
    before = game.owned
    out = game.forfeit(told.forfeit)
    if isinstance(out, Illegal):
        return replace(out, path=f"{path}.forfeit")
    delta = tuple(map(sub, game.owned, before))
    return so_far._replace(delta=delta, out=out, forfeit=told.forfeit)


def _settle_untold(game: Game, told: RoundRecord, path: str) -> RoundResult | Illegal:
    """A round of which only the losses are told. Rulings B8, B9 (R, S, B)."""
    opener, lost = game.opener, told.losses or ()
    out = game.finish_untold(lost)
    if isinstance(out, Illegal):
        return replace(out, path=f"{path}.losses")
    return RoundResult(opener, None, None, None, None, tuple(map(neg, lost)), out)


def _play(game: Game, told: RoundRecord, path: str) -> Round | Illegal:
    """The round after its last move."""
    if told.hands is not None:
        for seat, (hand, dice) in enumerate(zip(told.hands, game.owned, strict=True)):
            if len(hand) != dice:
                key = "dealt" if told.level == "dealt" else "revealed"
                message = f"seat {seat} owns {dice} dice, not {len(hand)}"
                return Illegal("wrong_number_of_dice", message, path=f"{path}.{key}[{seat}]")
    if told.bidder is not None:
        wrong = _check_turn(game, told, told.bidder, path)
        if wrong is not None:
            return wrong
        played = Round(game.rules, game.owned, told.bidder)
    else:
        played = game.roll(told.hands, rerolls=told.level == "dealt")
    for i, move in enumerate(told.moves):
        illegal = played.apply(move)
        if illegal is not None:
            return replace(illegal, move=i, path=f"{path}.moves[{i}]")
    if told.fault is not None:
        return told.fault
    if told.void and played.challenger != NOBODY:
        i = len(told.moves) - 1
        message = "a round that was challenged isn't void: its forfeit follows in a round of its own"
        return Illegal("bad_record", message, move=i, path=f"{path}.moves[{i}]")
    return played


def _check_turn(game: Game, told: RoundRecord, bidder: int, path: str) -> Illegal | None:
    """Whether the turn can have come to a bidder and a challenger of which the bids before aren't told.

    Rulings B4, B6 (R, S): every seat from the opener on bid something lower.
    """
    if len(told.moves) > 2:
        return Illegal("bad_record", "holds only the last bid and the challenge", path=f"{path}.moves")
    if not game.owned[bidder]:
        return Illegal("wrong_seat", f"seat {bidder} is out and can't bid", path=f"{path}.bidder")
    turns = game.roll()
    challenger = turns.after[bidder]
    if told.challenger != challenger:
        message = f"after seat {bidder} it is seat {challenger} that may challenge"
        return Illegal("wrong_seat", message, path=f"{path}.challenger")
    bid = next((move if isinstance(move, int) else move.bid for move in told.moves), NO_BID)
    while turns.turn != bidder:
        turns.apply(turns.bid + 1)
    if NO_BID != bid <= turns.bid:
        message = f"seat {bidder} can't bid {TEXT[bid]}: seat {game.opener} opened, and nothing lower is left"
        return Illegal("wrong_seat", message, path=f"{path}.bidder")
    return None


def _check_unfinished(told: RoundRecord, path: str, so_far: RoundResult, *, last: bool) -> RoundResult | Illegal:
    """A round without a challenge: it can only be the last one, and its cups were never lifted."""
    lifted = told.level in ("dice", "challenge") or told.count is not None or told.losses is not None
    if last and not lifted:
        return so_far
    return Illegal("no_challenge", "the moves don't end with a challenge", path=f"{path}.moves")


def _settle(game: Game, told: RoundRecord, path: str, played: Round) -> RoundResult | Illegal:
    """The cups are up: count, losses, next opener. Rulings B7 to B11 (R, S, B)."""
    opener = game.opener
    count = told.count if played.cups is None else played.count()
    if count is None:
        return Illegal("bad_record", "is missing", path=f"{path}.count")
    least, most = played.count_bounds()
    if not least <= count <= most:
        message = f"from {least} to {most} dice can match, not {count}"
        return Illegal("count_mismatch", message, path=f"{path}.count")
    lost, out = game.finish(played, count)
    if told.losses is not None and told.losses != lost:
        message = f"{count} dice match {TEXT[played.bid]}: the seats lose {list(lost)}, not {list(told.losses)}"
        return Illegal("losses_mismatch", message, path=f"{path}.losses")
    delta = tuple(map(neg, lost))
    return RoundResult(opener, played.bidder, played.challenger, played.bid, count, delta, out)
