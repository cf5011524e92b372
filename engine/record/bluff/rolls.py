"""The rolls in the rounds of Bluff, for comparison with the proof of their dice."""

from collections.abc import Iterator, Sequence
from operator import add

from engine.bluff.game import Game
from engine.bluff.move import LayOut
from engine.bluff.showdown import clockwise
from engine.bluff.track import FACES
from engine.dice.proof import RecordedRoll
from engine.record.bluff.round import RoundRecord
from engine.record.bluff.settle import RoundResult


def rolls(
    game: Game, rounds: Sequence[RoundRecord], results: Sequence[RoundResult]
) -> Iterator[list[RecordedRoll] | None]:
    """Yield the rolls of each round, None for a round that doesn't record them.

    `game`: the game before its first round."""
    owned = game.owned
    for record_round, result in zip(rounds, results, strict=True):
        yield _rolls_of_round(record_round, result, owned)
        owned = list(map(add, owned, result.delta))


def _rolls_of_round(
    record_round: RoundRecord, result: RoundResult, owned: Sequence[int]
) -> list[RecordedRoll] | None:
    if record_round.level in ("forfeit", "clock"):
        return []
    if record_round.level != "dealt" or record_round.hands is None or result.opener is None:
        return None
    # Draw 0 of a seat is its hand at the start; draws 1, 2, … are its rerolls (Ruling B14).
    rolls_so_far = [
        RecordedRoll(seat, 0, _faces(hand)) for seat, hand in enumerate(record_round.hands) if hand
    ]
    seat = result.opener
    after = clockwise(owned)
    draws = [0] * len(owned)
    for move in record_round.moves:
        if isinstance(move, LayOut):
            draws[seat] += 1
            rolls_so_far.append(RecordedRoll(seat, draws[seat], _faces(move.rolled or "")))
        seat = after[seat]
    return rolls_so_far


def _faces(dice: str) -> tuple[int, ...]:
    return tuple([FACES.index(die) + 1 for die in dice])
