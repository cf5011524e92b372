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
    """The automatic players of a kind of game, and how they play it.

    `by_name`: the factory of each player, one of which is called `random`. `play_game(players,
    rules, rng)` plays a game, and returns it with its rounds (turns); `rng` rolls the dice.
    `score`: the attribute of the game's ending that a match counts, along with the ranks.
    """

    by_name: Mapping[str, Callable[[Random], Chooser[Any, Any]]]
    play_game: Callable[..., tuple[Any, list[Any]]]
    score: str


def _by_odds(rng: Random) -> Chooser[Any, Any]:
    """Return a player that, unlike the others, needs no `rng`."""
    return ByOdds()


def _turns_by_odds(rng: Random) -> Chooser[Any, Any]:
    """Return a player that, unlike the random one, needs no `rng`."""
    return TurnsByOdds()


PLAYERS: Final[Mapping[AnyKind, KindPlayers]] = {
    BLUFF: KindPlayers(
        by_name={"random": AtRandom, "odds": _by_odds, "belief": ByBelief, "duel": Duel},
        play_game=play_game,
        score="cntdice",
    ),
    KNIFFEL: KindPlayers(
        by_name={"random": TurnsAtRandom, "odds": _turns_by_odds},
        play_game=kniffel.play_game,
        score="totals",
    ),
}


def player(
    name: str, seed: int | str, strength: float = 1.0, kind: AnyKind = BLUFF
) -> Chooser[Any, Any]:
    """Return a player of this kind of game, at a strength from 0 (plays at random) to 1 (its best).

    `name`: its name in `PLAYERS`."""
    rng = Random(seed)
    by_name = PLAYERS[kind].by_name
    best = by_name[name](rng)
    if strength >= 1:
        return best
    return Wavering(best, by_name["random"](rng), strength, rng)
