"""The moves of a seat, and how the record writes them.

A move is an int or a `LayOut`: 0 to 219 are bids, 220 is the challenge.
"""

from typing import Final, NamedTuple, TypeAlias

from engine.bluff.hand import bad_face, sort_hand
from engine.bluff.track import BID, BIDS, TEXT, parse_bid
from engine.illegal import Illegal, quote
from engine.messages import say

CHALLENGE: Final = BIDS
"""*Hoch die Becher!* (R, S)."""


class LayOut(NamedTuple):
    """A bid together with the dice laid out and the dice rerolled, both in face order.

    Ruling B14: a seat that lays out dice rerolls all its others.

    `rolled` is None if not known.
    """

    bid: int
    show: str
    rolled: str | None = None


Move: TypeAlias = int | LayOut


def parse_move(text: str) -> Move | Illegal:
    """Return the move that `text` names: `7x4`, `7x4/4*`, `7x4/4*>215` or `!`.

    Errors: those of `parse_bid`, and `bad_face` for unknown faces.
    """
    bid = BID.get(text)
    if bid is not None:
        return bid
    if text == "!":
        return CHALLENGE
    bid_text, slash, dice = text.partition("/")
    parsed = parse_bid(bid_text)
    if isinstance(parsed, Illegal) or not slash:
        return parsed
    show, arrow, rolled = dice.partition(">")
    wrong = bad_face(show + rolled)
    if wrong is not None:
        return Illegal(
            "bad_face", say("“{face}” isn't a face of a die: 1 2 3 4 5 *", face=quote(wrong))
        )
    return LayOut(parsed, sort_hand(show), sort_hand(rolled) if arrow else None)


def move_text(move: Move) -> str:
    """Return the move as the record writes it, dice in face order."""
    if move == CHALLENGE:
        return "!"
    if isinstance(move, int):
        return TEXT[move]
    text = f"{TEXT[move.bid]}/{move.show}"
    if move.rolled is None:
        return text
    return f"{text}>{move.rolled}"
