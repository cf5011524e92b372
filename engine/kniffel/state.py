"""A game of Lügen-Kniffel between two turns as a JSON object, from which it can go on."""

from typing import Any

from engine.kniffel.combinations import Ruleset
from engine.kniffel.game import Game
from engine.kniffel.sheet import Field


def game_state(game: Game) -> dict[str, Any]:
    """Return the state of a game between two turns, seats from 0.

    A field of a sheet is a list of its points, whether it is crossed, and its strikes.
    """
    return {
        "sheets": [
            {name: [field.points, field.crossed, field.strikes] for name, field in sheet.items()}
            for sheet in game.sheets
        ],
        "roller": game.roller,
        "turns": list(game.turns),
        "playing": list(game.playing),
        "leavers": [list(seats) for seats in game.leavers],
        "ended": game.ended,
        "last_lap": None if game.last_lap is None else list(game.last_lap),
    }


def game_of_state(rules: Ruleset, state: dict[str, Any]) -> Game:
    """Return the game of a state from `game_state`, ready for its next turn."""
    game = Game(len(state["sheets"]), 0, rules)
    for sheet, fields in zip(game.sheets, state["sheets"], strict=True):
        sheet.update({name: Field(*field) for name, field in fields.items()})
    game.roller = state["roller"]
    game.turns = list(state["turns"])
    game.playing = tuple(state["playing"])
    game.leavers = [tuple(seats) for seats in state["leavers"]]
    game.ended = state["ended"]
    game.last_lap = None if state["last_lap"] is None else list(state["last_lap"])
    return game
