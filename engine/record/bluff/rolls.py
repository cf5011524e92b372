"""The rolls that the rounds of Bluff tell, to be compared with the proof of their dice."""

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
    """The rolls of each round, None for one that should tell them and doesn't; `game` hasn't
    begun."""
    owned = game.owned
    for record_round, result in zip(rounds, results, strict=True):
        yield _of_round(record_round, result, owned)
        owned = list(map(add, owned, result.delta))


def _of_round(
    record_round: RoundRecord, result: RoundResult, owned: Sequence[int]
) -> list[RecordedRoll] | None:
    """The hands dealt are draw 0; whoever lays out rolls draw 1, 2, … Ruling B14 (R, S)."""
    if record_round.level in ("forfeit", "clock"):
        return []
    if record_round.level != "dealt" or record_round.hands is None or result.opener is None:
        return None
    rolled = [
        RecordedRoll(seat, 0, _faces(hand)) for seat, hand in enumerate(record_round.hands) if hand
    ]
    seat, after, draws = result.opener, clockwise(owned), [0] * len(owned)
    for move in record_round.moves:
        if isinstance(move, LayOut):
            draws[seat] += 1
            rolled.append(RecordedRoll(seat, draws[seat], _faces(move.rolled or "")))
        seat = after[seat]
    return rolled


def _faces(dice: str) -> tuple[int, ...]:
    return tuple([FACES.index(die) + 1 for die in dice])
