"""Two seats with one die each: the sensible bids, and the shipped equilibrium over them.

The loser of the bet is out, whichever rule an exact hit follows (an exact hit costs the challenger
the last die), so the game is one round. A bid above the two dice in play can't hold: challenged, it
loses for certain, and no other move can do worse. So an equilibrium that never makes such a bid and
always challenges it is also one on the whole track: such a bid gains nothing against it. Twelve
bids remain: 1x1 to 1x5, 1x*, 2x1 to 2x5, 2x*.

A history is an int with a bit for each of these bids that was made; the number of its bits gives
the seat to act.
"""

import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import islice
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
"""The precision of the weights in the table: finer ones don't make it a better player."""
DIGIT: Final = {bid: digit for digit, bid in enumerate(DUEL_BIDS)}

Chances = tuple[float, ...]
Strategy = list[list[Chances]]
"""By history and face of the own die (0 to 4, 5 the star): the chance of each raise in order, then
of the challenge.

There are as many as there are moves: for the opener (history 0) without the challenge.
"""


def raises_of(history: int) -> range:
    """Return the places in DUEL_BIDS of the bids that raise the last one of a history."""
    return range(history.bit_length(), len(DUEL_BIDS))


def true_bid(place: int, first: int, second: int) -> bool:
    """Return True if the bid at `place` of DUEL_BIDS holds with these two dice (0 to 5).

    Ruling B7: stars count as any number; a bid says “at least”."""
    bid = DUEL_BIDS[place]
    return matching(FACES[first] + FACES[second], FACE[bid]) >= COUNT[bid]


def packed(strategy: Strategy) -> bytes:
    """Return a strategy as the shipped table: each chance in parts of SCALE, two bytes,
    compressed."""
    weights: list[int] = []
    for rows in strategy:
        for row in rows:
            weights += [round(chance * SCALE) for chance in row]
    return zlib.compress(struct.pack(f">{len(weights)}H", *weights), 9)


def unpacked(table: bytes) -> Strategy:
    """Return the strategy of a table. A row without weights, never reached in play, is a
    challenge."""
    data = zlib.decompress(table)
    weights = iter(struct.unpack(f">{len(data) // 2}H", data))
    strategy: Strategy = []
    for history in range(HISTORIES):
        may_challenge = history > 0
        moves = len(raises_of(history)) + may_challenge
        strategy.append([_chances(list(islice(weights, moves))) for _ in FACES])
    return strategy


def _chances(weights: Sequence[int]) -> Chances:
    total = sum(weights)
    if not total:
        return (*[0.0] * (len(weights) - 1), 1.0)
    return tuple([weight / total for weight in weights])


@lru_cache(maxsize=1)
def equilibrium() -> Strategy:
    """Return the shipped strategy of both seats, made by `python -m engine.players.solve_duel`."""
    return unpacked(files("engine.players").joinpath("duel.bin").read_bytes())


class Duel:
    """A player that plays the last two dice by the equilibrium, and everything before like the
    belief player."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.before = ByBelief(rng)

    def choose(self, view: SeatView) -> Move:
        """Return a move drawn by the table's chances, or the challenge of a bid that two dice
        can't make true."""
        if sum(view.owned) > 2:
            return self.before.choose(view)
        if any(bid_said.bid not in DIGIT for bid_said in view.said):
            return CHALLENGE
        history = sum(1 << DIGIT[bid_said.bid] for bid_said in view.said)
        moves = [*[DUEL_BIDS[place] for place in raises_of(history)], CHALLENGE]
        row = equilibrium()[history][FACES.index(view.cup)]
        return self.rng.choices(moves[: len(row)], row)[0]
