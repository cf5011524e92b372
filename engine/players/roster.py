"""The automatic players by name."""

from collections.abc import Callable
from random import Random
from typing import Final

from engine.players.at_random import AtRandom, Wavering
from engine.players.by_belief import ByBelief
from engine.players.by_odds import ByOdds
from engine.players.duel import Duel
from engine.players.player import AutomaticPlayer

PLAYERS: Final[dict[str, Callable[[Random], AutomaticPlayer]]] = {
    "random": AtRandom,
    "odds": lambda rng: ByOdds(),
    "belief": ByBelief,
    "duel": Duel,
}


def player(name: str, seed: int | str, strength: float = 1.0) -> AutomaticPlayer:
    """The player called `name`, one of `PLAYERS`, of a strength from 0 (plays at random) to 1 (its best)."""
    rng = Random(seed)
    best = PLAYERS[name](rng)
    return best if strength >= 1 else Wavering(best, strength, rng)
