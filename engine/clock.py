"""The end of a game by the clock, the same in all games (Rulings B20, K17)."""

from typing import Final, Literal, TypeAlias

from engine.illegal import Illegal
from engine.messages import Message, say

Ended: TypeAlias = Literal["clock"]
"""A way for a game to end that doesn't follow from its rules."""
CLOCK: Final[Ended] = "clock"
ENDED: Final[dict[str, Ended]] = {CLOCK: CLOCK}
ONE_LEFT: Final = say("one seat was left: that ended the game, not the clock")


def not_by_clock(message: Message, path: str | None = None) -> Illegal:
    """Return the fault of a game that claims to have been ended by the clock, but wasn't."""
    return Illegal("clock_mismatch", message, path=path)
