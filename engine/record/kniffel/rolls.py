"""The rolls in the turns of Lügen-Kniffel, for comparison with the proof of their dice."""

from collections.abc import Iterator, Sequence

from engine.dice.proof import RecordedRoll
from engine.kniffel.game import Game
from engine.record.kniffel.settle import TurnResult
from engine.record.kniffel.turn import TurnRecord


def rolls(
    table: Game, turns: Sequence[TurnRecord], results: Sequence[TurnResult]
) -> Iterator[list[RecordedRoll] | None]:
    """Yield the rolls of each turn, None for a turn that shows its dice without its rolls.

    A turn that nobody doubted needs no rolls, and shows no dice (Ruling K6). `table` isn't used:
    the results name the roller.
    """
    for turn, result in zip(turns, results, strict=True):
        if turn.dice is not None and not turn.rolls:
            yield None
            continue
        roller = result.outcome.seat
        yield [RecordedRoll(roller, number, roll.new) for number, roll in enumerate(turn.rolls)]
