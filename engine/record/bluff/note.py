"""Bids that are noted while a round of Bluff is played: all of them, or now and then the last
one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.bluff.game import Game
from engine.bluff.move import CHALLENGE, Move, parse_move
from engine.bluff.showdown import clockwise
from engine.bluff.track import BIDS, NO_BID, TEXT
from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.bluff.round import RoundRecord
from engine.record.shape import Json, bad, join, members, whole


def read_note(
    game: Game, notes: Sequence[dict[str, Any]], value: Json, path: str
) -> dict[str, Any]:
    """The bid that `value` tells, with its seat: that which is given, or else the one whose turn it
    is.

    Raises `Refused`: as for a move of a record, `wrong_seat` for a seat that is out, `not_a_raise`,
    `reroll_off`, `bad_record` for one that tells what was rolled: nobody but its seat may know that
    yet. Rulings B4, B5, B14 (R, S)."""
    parts = members(value, path, ("bid",), ("seat",))
    move = parse_move(parts["bid"] if isinstance(parts["bid"], str) else "")
    if isinstance(move, Illegal):
        raise Refused(replace(move, path=join(path, "bid")))
    if move == CHALLENGE:
        raise bad(join(path, "bid"), "must be a bid: the challenge closes the round")
    if not isinstance(move, int) and not game.rules.reroll:
        raise Refused(
            Illegal(
                "reroll_off",
                say("this table plays without laying out and rerolling"),
                path=join(path, "bid"),
            )
        )
    if not isinstance(move, int) and move.rolled is not None:
        raise bad(
            join(path, "bid"), "tells dice that lie under a cup: they are told once the cups are up"
        )
    if "seat" in parts:
        seat = whole(parts["seat"], join(path, "seat"), range(game.seats))
    elif notes or game.opener is not None:
        seat = clockwise(game.owned)[notes[-1]["seat"]] if notes else game.openers[0]
    else:
        raise bad(
            join(path, "seat"),
            "is missing: the round before tells only its losses, so not who opens",
        )
    if not game.owned[seat]:
        raise Refused(
            Illegal(
                "wrong_seat",
                say("seat {seat} is out and can't bid", seat=seat),
                path=join(path, "seat"),
            )
        )
    last = _bid_of(notes[-1]["bid"]) if notes else NO_BID
    if _bid(move) <= last:
        raise Refused(
            Illegal(
                "not_a_raise",
                say("{bid} does not raise {last}", bid=TEXT[_bid(move)], last=TEXT[last]),
                path=join(path, "bid"),
            )
        )
    return {"bid": parts["bid"], "seat": seat}


def note_mismatch(
    game: Game, notes: Sequence[dict[str, Any]], record_round: RoundRecord, path: str
) -> Illegal | None:
    """Return what a round tells otherwise than its bids were noted; `game` stands before the round.

    Bids that were noted stand in the round, at the same seats; where it tells the last one alone,
    none was higher."""
    bids = [_bid(move) for move in record_round.moves if move != CHALLENGE]
    if not notes or not bids or record_round.void:
        return None
    if record_round.bidder is not None:
        bids, seats = bids[-1:], [record_round.bidder]
    else:
        opener = game.openers[0] if record_round.opener is None else record_round.opener
        seats, after = [opener], clockwise(game.owned)
        while len(seats) < len(bids):
            seats.append(after[seats[-1]])
    seat_of_bid = dict(zip(bids, seats, strict=True))
    whole_round = record_round.bidder is None
    for note in notes:
        bid = _bid_of(note["bid"])
        if (
            seat_of_bid.get(bid, note["seat"]) != note["seat"]
            or bid > bids[-1]
            or (whole_round and bid not in seat_of_bid)
        ):
            return Illegal(
                "note_mismatch",
                say(
                    "{bid} of seat {seat} was noted, and this round has no such bid",
                    bid=TEXT[bid],
                    seat=note["seat"],
                ),
                path=join(path, "moves"),
            )
    return None


def _bid(move: Move) -> int:
    return move if isinstance(move, int) else move.bid


def _bid_of(text: str) -> int:
    """The bid of a note that was read before."""
    move = parse_move(text)
    return BIDS if isinstance(move, Illegal) else _bid(move)
