"""The rolls that a record tells, by seat and number, to be compared with the proof of its dice."""

from collections.abc import Callable, Iterator, Sequence
from operator import add
from typing import Final

from engine.bluff.move import LayOut
from engine.bluff.ruleset import Ruleset
from engine.bluff.showdown import clockwise
from engine.bluff.track import FACES
from engine.dice.proof import Throw
from engine.record.bluff import format as bluff
from engine.record.bluff.round import RoundRecord
from engine.record.bluff.settle import RoundResult
from engine.record.kniffel import format as kniffel
from engine.record.kniffel.turn import TurnRecord
from engine.record.record import Record
from engine.record.verdict import Verdict

Throws = list[Throw] | None
"""The rolls of one round (turn); None if it should tell them and doesn't."""


def throws(record: Record, verdict: Verdict) -> list[Throws]:
    """The rolls of each round (turn) of a record that is ok by this verdict."""
    return list(THROWS[record.game](record, verdict))


def _bluff(record: Record, verdict: Verdict) -> Iterator[Throws]:
    assert isinstance(record.rules, Ruleset)
    owned = [record.rules.dice] * len(record.seats)
    for told, result in zip(bluff.facts(record), verdict.rounds, strict=True):
        assert isinstance(result, RoundResult)
        yield _of_round(told, result, owned)
        owned = list(map(add, owned, result.delta))


def _of_round(told: RoundRecord, result: RoundResult, owned: Sequence[int]) -> Throws:
    """The hands dealt are draw 0; whoever lays out rolls draw 1, 2, … Ruling B14 (R, S)."""
    if told.level == "forfeit":
        return []
    if told.level != "dealt" or told.hands is None or result.opener is None:
        return None
    rolled = [Throw(seat, 0, _faces(hand)) for seat, hand in enumerate(told.hands) if hand]
    seat, after, draws = result.opener, clockwise(owned), [0] * len(owned)
    for move in told.moves:
        if isinstance(move, LayOut):
            draws[seat] += 1
            rolled.append(Throw(seat, draws[seat], _faces(move.rolled or "")))
        seat = after[seat]
    return rolled


def _faces(dice: str) -> tuple[int, ...]:
    return tuple([FACES.index(die) + 1 for die in dice])


def _kniffel(record: Record, verdict: Verdict) -> Iterator[Throws]:
    for told, result in zip(kniffel.facts(record), verdict.turns, strict=True):
        assert isinstance(result, kniffel.TurnResult)
        yield _of_turn(told, result.outcome.seat)


def _of_turn(told: TurnRecord, roller: int) -> Throws:
    """What nobody doubted needn't tell its rolls, and then shows no dice. Rulings K6, K11 (K)."""
    if not told.rolls and told.dice is not None:
        return None
    return [Throw(roller, number, roll.new) for number, roll in enumerate(told.rolls)]


THROWS: Final[dict[str, Callable[[Record, Verdict], Iterator[Throws]]]] = {
    "bluff": _bluff,
    "luegen-kniffel": _kniffel,
}
"""How each game tells its rolls."""
