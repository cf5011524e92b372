"""A game of Bluff between two rounds as a JSON object, from which it can go on."""

from typing import Any

from engine.bluff.finish import Exit
from engine.bluff.game import Game
from engine.bluff.ruleset import Ruleset


def game_state(game: Game) -> dict[str, Any]:
    """Return the state of a game between two rounds, seats from 0; it is public at the table."""
    return {
        "owned": list(game.owned),
        "opener": game.opener,
        "openers": list(game.openers),
        "exits": [[list(leaving.seats), leaving.dice_gone] for leaving in game.exits],
        "due": game.due,
        "ended": game.ended,
    }


def game_of_state(rules: Ruleset, state: dict[str, Any]) -> Game:
    """Return the game of a state from `game_state`, ready for its next round."""
    game = Game(rules, len(state["owned"]), state["openers"][0])
    game.owned = list(state["owned"])
    game.opener = state["opener"]
    game.openers = tuple(state["openers"])
    game.exits = [Exit(tuple(seats), dice_gone) for seats, dice_gone in state["exits"]]
    game.due = state["due"]
    game.ended = state["ended"]
    return game
