"""The automatic players of each kind of game by name, and how they play a whole game."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, NamedTuple

from engine.players.at_random import AtRandom
from engine.players.by_belief import ByBelief
from engine.players.by_odds import ByOdds
from engine.players.chooser import Chooser, Wavering
from engine.players.duel import Duel
from engine.players.kniffel import seat as kniffel
from engine.players.kniffel.at_random import TurnsAtRandom
from engine.players.kniffel.by_odds import TurnsByOdds
from engine.players.seat import play_game
from engine.record.bluff.kind import BLUFF
from engine.record.kind import AnyKind
from engine.record.kniffel.kind import KNIFFEL


class KindPlayers(NamedTuple):
    """All that automatic players add to a kind of game; the record, which lies below, can't know
    it.

    `by_name`: what makes each of them, one of which is called `random`. `play_game(players, rules,
    rng)`: a game over, and its rounds (turns); `rng` rolls the dice. `score`: what of its ending a
    match counts, beside the ranks."""

    by_name: Mapping[str, Callable[[Random], Chooser[Any, Any]]]
    play_game: Callable[..., tuple[Any, list[Any]]]
    score: str


PLAYERS: Final[Mapping[AnyKind, KindPlayers]] = {
    BLUFF: KindPlayers(
        {"random": AtRandom, "odds": lambda rng: ByOdds(), "belief": ByBelief, "duel": Duel},
        play_game,
        "cntdice",
    ),
    KNIFFEL: KindPlayers(
        {"random": TurnsAtRandom, "odds": lambda rng: TurnsByOdds()}, kniffel.play_game, "totals"
    ),
}


def player(
    name: str, seed: int | str, strength: float = 1.0, kind: AnyKind = BLUFF
) -> Chooser[Any, Any]:
    """The player of this kind of game called `name`, of a strength from 0 (plays at random) to 1
    (its best)."""
    rng = Random(seed)
    by_name = PLAYERS[kind].by_name
    best = by_name[name](rng)
    return best if strength >= 1 else Wavering(best, by_name["random"](rng), strength, rng)
