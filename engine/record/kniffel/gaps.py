"""What a record of Lügen-Kniffel leaves out and so can't be checked."""

from collections.abc import Iterator, Sequence

from engine.messages import Message, say
from engine.record.kniffel.turn import TurnRecord


def gaps(turns: Sequence[TurnRecord]) -> Iterator[Message]:
    """Yield sentences on what the turns of a valid record leave out.

    Ruling K6: the dice of a turn that nobody doubts stay secret."""
    whole_turns = [turn for turn in turns if turn.announcement is not None and not turn.void]
    without_dice = sum(turn.dice is None for turn in whole_turns)
    if without_dice:
        yield say(
            "For {number} of {all} turns, which nobody doubted, the dice aren't given: nobody "
            "can say whether what was announced is true.",
            number=without_dice,
            all=len(whole_turns),
        )
    without_rolls = sum(turn.dice is not None and not turn.rolls for turn in whole_turns)
    if without_rolls:
        yield say(
            "For {number} of {all} turns only the dice shown are given, not how they were rolled.",
            number=without_rolls,
            all=len(whole_turns),
        )
