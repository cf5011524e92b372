"""Notes of bids during a round of Bluff: of all bids, or of some."""

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
    """Return a new note of a bid, checked. `value`: the bid, perhaps with its seat; without one, it
    is the seat whose turn it is. `notes`: the notes of this round so far.

    Raise `Refused` with the code of a bad move; with `wrong_seat` for a seat that is out, with
    `not_a_raise` (Ruling B4) or `reroll_off` (Ruling B14), or with `bad_record` for a bid with the
    dice rolled again, which only its seat may know yet.
    """
    parts = members(value, path, ("bid",), ("seat",))
    move = _read_move(game, parts["bid"], join(path, "bid"))
    path_of_seat = join(path, "seat")
    if "seat" in parts:
        seat = whole(parts["seat"], path_of_seat, range(game.seats))
    else:
        seat = _next_seat(game, notes, path_of_seat)
    if not game.owned[seat]:
        raise Refused(
            Illegal(
                "wrong_seat",
                say("seat {seat} is out and can't bid", seat=seat),
                path=path_of_seat,
            )
        )
    bid = _bid_of_move(move)
    last = _noted_bid(notes[-1]) if notes else NO_BID
    if bid <= last:
        raise Refused(
            Illegal(
                "not_a_raise",
                say("{bid} does not raise {last}", bid=TEXT[bid], last=TEXT[last]),
                path=join(path, "bid"),
            )
        )
    return {"bid": parts["bid"], "seat": seat}


def _read_move(game: Game, value: Json, path: str) -> Move:
    move = parse_move(value if isinstance(value, str) else "")
    if isinstance(move, Illegal):
        raise Refused(replace(move, path=path))
    if move == CHALLENGE:
        raise bad(path, "must be a bid: the challenge closes the round")
    if isinstance(move, int):
        return move
    if not game.rules.reroll:
        raise Refused(
            Illegal(
                "reroll_off",
                say("this table plays without laying out and rerolling"),
                path=path,
            )
        )
    if move.rolled is not None:
        raise bad(path, "gives dice that lie under a cup: give them once the cups are up")
    return move


def _next_seat(game: Game, notes: Sequence[dict[str, Any]], path: str) -> int:
    if notes:
        last: int = notes[-1]["seat"]
        return clockwise(game.owned)[last]
    if game.opener is None:
        raise bad(path, "is missing: the round before gives only its losses, not who opens")
    return game.openers[0]


def note_mismatch(
    game: Game, notes: Sequence[dict[str, Any]], record_round: RoundRecord, path: str
) -> Illegal | None:
    """Return the fault of a round that contradicts its notes; `game` is the game before the round.

    The round must have every noted bid, at the same seat. If it has only the last bid, no noted bid
    may be higher.
    """
    bids = [_bid_of_move(move) for move in record_round.moves if move != CHALLENGE]
    if not notes or not bids or record_round.void:
        return None

    has_all_bids = record_round.bidder is None
    if record_round.bidder is not None:
        seat_of_bid = {bids[-1]: record_round.bidder}
    else:
        seats = _seats_in_turn(game, record_round.opener, len(bids))
        seat_of_bid = dict(zip(bids, seats, strict=True))
    for note in notes:
        bid = _noted_bid(note)
        is_missing = has_all_bids and bid not in seat_of_bid
        is_too_high = bid > bids[-1]
        # A bid that the round doesn't record can't contradict the note's seat.
        is_of_other_seat = seat_of_bid.get(bid, note["seat"]) != note["seat"]
        if is_missing or is_too_high or is_of_other_seat:
            return Illegal(
                "note_mismatch",
                say(
                    "{bid} by seat {seat} was noted, but this round has no such bid",
                    bid=TEXT[bid],
                    seat=note["seat"],
                ),
                path=join(path, "moves"),
            )
    return None


def _seats_in_turn(game: Game, opener: int | None, number: int) -> list[int]:
    seats = [game.openers[0] if opener is None else opener]
    after = clockwise(game.owned)
    while len(seats) < number:
        seats.append(after[seats[-1]])
    return seats


def _bid_of_move(move: Move) -> int:
    if isinstance(move, int):
        return move
    return move.bid


def _noted_bid(note: dict[str, Any]) -> int:
    """Return the number of a noted bid in raising order, to compare it with other bids."""
    move = parse_move(note["bid"])
    if isinstance(move, Illegal):
        # Higher than any bid, so that no bid raises it.
        return BIDS
    return _bid_of_move(move)
