"""Dice from a round's key: the same for everybody who knows the key, with all six faces equally
likely."""

import hmac
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.dice.frame import SCHEME, frame

FAIR: Final = 252
"""Bytes below this are used, as 252 = 6 × 42: each face comes from 42 of them. The other four
are discarded."""

_FACES: Final = bytes([byte % 6 + 1 for byte in range(256)])
_UNFAIR: Final = bytes(range(FAIR, 256))


class RollPlace(NamedTuple):
    """The place of a roll: the round (turn), the seat, and the number of the roll by that seat in
    that round.

    All count from 0: roll 0 is the one at the start, each later one the next reroll
    (Rulings B14, K11).
    """

    round_number: int
    seat: int
    number: int


def roll(
    key: bytes, game: str, seeds: Sequence[bytes], place: RollPlace, dice: int, scheme: str = SCHEME
) -> tuple[int, ...]:
    """Return `dice` faces 1 to 6, in the order in which they are drawn; a star of Bluff is face 6.

    `key`: that of the link with the number `place.round_number`; `game`: the id of the game;
    `seeds`: those of all its seats in order."""
    frame_of_place = frame(scheme, "dice", game, *place)
    frame_of_seeds = frame(*seeds)
    faces = bytearray()
    block = 0
    while len(faces) < dice:
        message = frame_of_place + frame(block) + frame_of_seeds
        digest = hmac.digest(key, message, "sha256")
        # Each byte becomes a face; bytes that would favour some faces are dropped.
        faces += digest.translate(_FACES, _UNFAIR)
        block += 1
    return tuple(faces[:dice])
