"""How long a recorded game may be: far longer than any that people play, and short enough to be
checked in no time."""

from typing import Final

from engine.illegal import Illegal
from engine.messages import say

ROUNDS: Final = 500
"""Rounds or turns of a game. In Bluff with 6 seats and 20 dice each every round costs a die, so it
has 119 at most; but a gift (B9) costs none, and people don't give 300. On 8 sheets of Lügen-Kniffel
there is room for 208 turns."""
MOVES: Final = 5000
"""Moves of all rounds together: ten a round, in a game of 500."""


def too_many_rounds(rounds: int, path: str) -> Illegal | None:
    """The fault of a game with so many rounds (turns), None if that many may be."""
    if rounds <= ROUNDS:
        return None
    return Illegal(
        "too_many_rounds",
        say("has {number} entries, and no game has more than {most}", number=rounds, most=ROUNDS),
        path=path,
    )


def too_many_moves(moves: int, path: str) -> Illegal | None:
    """The fault of the round with which a game has so many moves, None if that many may be."""
    if moves <= MOVES:
        return None
    return Illegal(
        "too_many_moves", say("no game has more than {most} moves", most=MOVES), path=path
    )
