"""The end of a game by the clock, in the words of all games: time was up. Rulings B20, K17."""

from typing import Final, Literal, TypeAlias

from engine.illegal import Illegal
from engine.messages import Message, say

Ended: TypeAlias = Literal["clock"]
"""The way in which a game ended that its rules alone don't tell."""
CLOCK: Final[Ended] = "clock"
ENDED: Final[dict[str, Ended]] = {CLOCK: CLOCK}
ONE_LEFT: Final = say("one seat was left: that ended the game, not the clock")


def not_by_clock(message: Message, path: str | None = None) -> Illegal:
    """The fault of a game that is said to have been ended by the clock, and wasn't."""
    return Illegal("clock_mismatch", message, path=path)
