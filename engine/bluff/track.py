"""The track: 30 fields, walked twice, and its 220 bids in strict raising order.

A bid is an int from 0 (`1x1`) to 219 (`40x5`); a raise is any later int (Rulings B1 to B4).
"""

import re
from typing import Final

from engine.illegal import Illegal, quote
from engine.messages import say

FACES: Final = "12345*"
"""Face 1 to 5 and the star, which is face 6 when faces are ints."""
STAR: Final = 6
LAP: Final = 20
"""Number fields on the board; it has half as many star fields."""


def _lap(lap: int) -> list[tuple[int, bool]]:
    """Return the fields of a lap, counted from 0: each count, and whether it is a star field."""
    fields: list[tuple[int, bool]] = []
    for number in range(lap * LAP + 1, (lap + 1) * LAP + 1):
        if number % 2 == 0:
            fields.append((number // 2, True))
        fields.append((number, False))
    return fields


FIELDS: Final = tuple(_lap(0) + _lap(1))
"""The 60 fields of two laps in order, as (count, whether it is a star field).

Rulings B1, B2: the fields, and the second lap."""


def _bids() -> list[tuple[int, int, int]]:
    bids = []
    for field, (count, is_star_field) in enumerate(FIELDS):
        faces = (STAR,) if is_star_field else range(1, STAR)
        bids += [(count, face, field) for face in faces]
    return bids


_BIDS: Final = tuple(_bids())
BIDS: Final = len(_BIDS)
"""The number of bids: 220 (Ruling B4)."""
NO_BID: Final = -1
"""Stands for the bid before the opening one: every bid raises it."""
COUNT: Final = tuple(count for count, _, _ in _BIDS)
"""For each bid, how many dice it claims at least."""
FACE: Final = tuple(face for _, face, _ in _BIDS)
"""For each bid its face, 1 to 5, or 6 for a star bid (Ruling B3)."""
FIELD: Final = tuple(field for _, _, field in _BIDS)
"""For each bid the index of its field in FIELDS."""
TEXT: Final = tuple(f"{count}x{FACES[face - 1]}" for count, face, _ in _BIDS)
"""For each bid its text: `7x4`, `3x*`."""
BID: Final = {text: bid for bid, text in enumerate(TEXT)}
"""For each text its bid."""

_SHAPE: Final = re.compile(r"(?:0|[1-9][0-9]*)x(.)", re.DOTALL)


def raises(bid: int) -> range:
    """Return the bids that raise `bid` (NO_BID: all of them); empty only after the last bid of the
    track.

    Rulings B2, B4, B5: the second lap, raising and opening.
    """
    return range(bid + 1, BIDS)


def parse_bid(text: str) -> int | Illegal:
    """Return the bid that `text` names (Ruling B3).

    Errors: `bad_record` (no bid at all), `bad_face` or `no_such_field`.
    """
    bid = BID.get(text)
    if bid is not None:
        return bid
    shape = _SHAPE.fullmatch(text)
    if shape is None:
        return Illegal("bad_record", say("“{text}” isn't a move", text=quote(text)))
    if shape[1] not in FACES:
        return Illegal(
            "bad_face",
            say("“{face}” isn't a face: a bid has one of 1 2 3 4 5 *", face=quote(shape[1])),
        )
    return Illegal("no_such_field", say("the track has no field for {bid}", bid=quote(text)))
