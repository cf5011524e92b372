"""Limits on the length of a recorded game: far longer than any real game, and quick to check."""

from typing import Final

from engine.illegal import Illegal
from engine.messages import say

ROUNDS: Final = 500
"""The most rounds or turns of a game. In Bluff with 6 seats and 20 dice each, every round costs a
die, so there are 119 at most; a gift (B9) costs none, but people don't give 300. In Lügen-Kniffel 8
sheets have room for 208 turns.
"""
MOVES: Final = 5000
"""The most moves of all rounds together: ten a round in a game of 500 rounds."""


def too_many_rounds(rounds: int, path: str) -> Illegal | None:
    """Return an Illegal if a game can't have this number of rounds (turns); None if it can.

    `path`: of the list of rounds in the record."""
    if rounds <= ROUNDS:
        return None
    return Illegal(
        "too_many_rounds",
        say("has {number} entries, but a game can have at most {most}", number=rounds, most=ROUNDS),
        path=path,
    )


def too_many_moves(moves: int, path: str) -> Illegal | None:
    """Return an Illegal if a game can't have this number of moves; None if it can.

    `path`: of the round in the record that brings the game to this number.
    """
    if moves <= MOVES:
        return None
    return Illegal(
        "too_many_moves", say("a game can have at most {most} moves", most=MOVES), path=path
    )
