"""The rolls that the turns of Lügen-Kniffel tell, to be compared with the proof of their dice."""

from collections.abc import Iterator, Sequence

from engine.dice.proof import RecordedRoll
from engine.kniffel.game import Game
from engine.record.kniffel.settle import TurnResult
from engine.record.kniffel.turn import TurnRecord


def rolls(
    table: Game, turns: Sequence[TurnRecord], results: Sequence[TurnResult]
) -> Iterator[list[RecordedRoll] | None]:
    """The rolls of each turn, None for one that should tell them and doesn't; who rolls is in the
    results.

    What nobody doubted needn't tell its rolls, and then shows no dice. Rulings K6, K11 (K).
    """
    for turn, result in zip(turns, results, strict=True):
        if not turn.rolls and turn.dice is not None:
            yield None
        else:
            yield [
                RecordedRoll(result.outcome.seat, number, roll.new)
                for number, roll in enumerate(turn.rolls)
            ]
