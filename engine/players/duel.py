"""Two seats, one die each: the bids that make sense, and the shipped equilibrium over them.

Who loses the bet is out, whichever rule an exact hit follows (an exact hit costs the challenger the
last die), so the game is one round. A bid above the two dice in play can't hold: challenged, it
loses for sure, and no other move can do worse than that. So an equilibrium that never makes such a
bid and always challenges it stays one on the whole track: such a bid gains nothing against it. Left
are twelve bids: 1x1 to 1x5, 1x*, 2x1 to 2x5, 2x*.

A history is an int with a bit for each of these bids that was made; its number of bits tells whose
turn it is."""

import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from random import Random
from typing import Final

from engine.bluff.hand import matching
from engine.bluff.move import CHALLENGE, Move
from engine.bluff.track import BIDS, COUNT, FACE, FACES
from engine.players.by_belief import ByBelief
from engine.players.player import SeatView

DUEL_BIDS: Final = tuple([bid for bid in range(BIDS) if COUNT[bid] <= 2])
"""The twelve bids that two dice can make true, in raising order."""
HISTORIES: Final = 1 << len(DUEL_BIDS)
SCALE: Final = 4000
"""The table weighs the moves in so many parts: finer ones don't make it a better player."""
DIGIT: Final = {bid: digit for digit, bid in enumerate(DUEL_BIDS)}

Chances = tuple[float, ...]
Strategy = list[list[Chances]]
"""By history and face of the own die (0 to 4, 5 the star): the chance of each raise in order, then
of the challenge.

They are as many as there are moves: for the opener (history 0) without the challenge.
"""


def raises_of(history: int) -> range:
    """The places in DUEL_BIDS of the bids that raise the last one of a history."""
    return range(history.bit_length(), len(DUEL_BIDS))


def true_bid(place: int, first: int, second: int) -> bool:
    """True if the bid at `place` of DUEL_BIDS holds with these two dice (0 to 5). Ruling B7 (R,
    S)."""
    bid = DUEL_BIDS[place]
    return matching(FACES[first] + FACES[second], FACE[bid]) >= COUNT[bid]


def packed(strategy: Strategy) -> bytes:
    """A strategy as the shipped table: each chance in parts of SCALE, two bytes, compressed."""
    weights = [round(chance * SCALE) for rows in strategy for row in rows for chance in row]
    return zlib.compress(struct.pack(f">{len(weights)}H", *weights), 9)


def unpacked(table: bytes) -> Strategy:
    """The strategy of a table. A row without any weight is a challenge: its own play never comes
    there."""
    data = zlib.decompress(table)
    weights = iter(struct.unpack(f">{len(data) // 2}H", data))
    strategy: Strategy = []
    for history in range(HISTORIES):
        moves = len(raises_of(history)) + (history > 0)
        strategy.append([_chances([next(weights) for _ in range(moves)]) for _ in FACES])
    return strategy


def _chances(weights: Sequence[int]) -> Chances:
    total = sum(weights)
    if not total:
        return (*[0.0] * (len(weights) - 1), 1.0)
    return tuple([weight / total for weight in weights])


@lru_cache(maxsize=1)
def equilibrium() -> Strategy:
    """The shipped strategy of both seats, made by `python -m engine.players.solve_duel`."""
    return unpacked(files("engine.players").joinpath("duel.bin").read_bytes())


class Duel:
    """Plays the last two dice by the equilibrium, and everything before as the belief player
    does."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.before = ByBelief(rng)

    def choose(self, view: SeatView) -> Move:
        """A move drawn by the table's chances; the challenge of any bid that two dice can't make
        true."""
        if sum(view.owned) > 2:
            return self.before.choose(view)
        if any(bid_said.bid not in DIGIT for bid_said in view.said):
            return CHALLENGE
        history = sum(1 << DIGIT[bid_said.bid] for bid_said in view.said)
        moves = [*[DUEL_BIDS[place] for place in raises_of(history)], CHALLENGE]
        row = equilibrium()[history][FACES.index(view.cup)]
        return self.rng.choices(moves[: len(row)], row)[0]
