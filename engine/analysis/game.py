"""The analysis of a whole game of Bluff."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.analysis.belief import PLAIN
from engine.analysis.decisions import Decision, decisions
from engine.analysis.luck import (
    CANNOT_TELL,
    Luck,
    RolledLuck,
    all_recorded,
    luck_per_roll,
    roll_luck,
    total,
)
from engine.analysis.moment import moment_at, replayed_rounds
from engine.analysis.outlook import PLACES, Option, Outlook
from engine.record.bluff.kind import BLUFF
from engine.record.bluff.round import Level
from engine.record.record import Record, begin
from engine.record.shape import Json

DECISIONS_CANNOT_TELL: Final = (
    (
        "A raise is valued as if the next seat challenged it at once; what it does to later bids "
        "is not valued."
    ),
    "A raise that pays when it is challenged counts no more than one that stands: what luring a "
    "challenge is worth is not in the cost.",
    "Dice are valued alike, the first of a seat like its last.",
)
"""The limits of the values and costs."""


class RoundAnalysis(NamedTuple):
    """A round: its recorded level of detail, its decisions, and the luck of each of its rolls."""

    level: Level
    decisions: tuple[Decision, ...]
    rolls: tuple[RolledLuck, ...]

    def as_json(self) -> dict[str, Json]:
        """Return the round as a JSON object."""
        return {
            "level": self.level,
            "decisions": [decision.as_json() for decision in self.decisions],
            "rolls": [rolled.as_json() for rolled in self.rolls],
        }


class Costly(NamedTuple):
    """A decision with a cost, and its round, from 0."""

    round_number: int
    decision: Decision


@dataclass(frozen=True, slots=True)
class Analysis:
    """The analysis of a game of Bluff. `weight`: how much the bids reveal about the dice, 0 for
    nothing."""

    record_id: str
    seats: tuple[str, ...]
    weight: float
    rounds: tuple[RoundAnalysis, ...]

    def costliest(self) -> list[Costly]:
        """Return the decisions with a cost, the costliest first, among equals the earlier one."""
        costly: list[Costly] = []
        for number, played in enumerate(self.rounds):
            costly += [Costly(number, decision) for decision in played.decisions if decision.cost]
        return sorted(costly, key=lambda costly: -(costly.decision.cost or 0))

    def rolls(self) -> list[RolledLuck]:
        """Return the rolls whose luck counts; none in a game that doesn't record all of them."""
        return [rolled for played in self.rounds for rolled in played.rolls]

    def luck(self) -> tuple[Luck, ...] | None:
        """Return the luck of each seat over the whole game; None if it isn't known.

        It doesn't depend on the weight of the bids."""
        rolls = self.rolls()
        if not rolls:
            return None
        return tuple([total(luck_per_roll(rolls, seat)) for seat in range(len(self.seats))])

    def as_json(self) -> dict[str, Json]:
        """Return the analysis as a JSON object; chances from 0 to 1, all else in dice."""
        luck = self.luck()
        cannot_tell: dict[str, Json] = {
            "decisions": list(DECISIONS_CANNOT_TELL),
            "luck": list(CANNOT_TELL),
        }
        return {
            "id": self.record_id,
            "game": "bluff",
            "seats": list(self.seats),
            "weight": self.weight,
            "rounds": [played.as_json() for played in self.rounds],
            "costliest": list(self._costliest_json()),
            "luck": None if luck is None else [seat.as_json() for seat in luck],
            "cannot_tell": cannot_tell,
        }

    def _costliest_json(self) -> Iterator[Json]:
        for number, decision in self.costliest():
            yield {
                "round": number,
                "move": decision.move,
                "seat": decision.seat,
                "cost": round(decision.cost or 0, PLACES),
            }


def analyse(record: Record, weight: float = PLAIN, only: int | None = None) -> Analysis:
    """Return the analysis of a game of Bluff. Raise ValueError for a record with errors.

    `weight`: how much the bids reveal about the dice, 0 or more (see `belief`). `only`: analyse
    only this round, from 0; the others then have no decisions."""
    game, recorded = begin(record, BLUFF)
    counts_luck = all_recorded(game.rules, recorded)
    rounds: list[RoundAnalysis] = []
    for number, played in enumerate(replayed_rounds(record)):
        decided: tuple[Decision, ...] = ()
        rolled: tuple[RolledLuck, ...] = ()
        if not played.void_by_changed_dice:
            if only in (None, number):
                decided = decisions(game.rules, played, weight)
            if counts_luck:
                rolled = tuple(roll_luck(played))
        rounds.append(RoundAnalysis(played.record.level, decided, rolled))
    return Analysis(record.record_id, record.seats, weight, tuple(rounds))


def options(record: Record, round_number: int, move: int, weight: float = PLAIN) -> list[Option]:
    """Return the options of the seat to act before `move` of `round_number`.

    They are the challenge, then every raise that lays out no dice; none once the cups are up. Raise
    IndexError if the record has no such moment. `weight`: how much the bids reveal about the dice,
    0 or more."""
    played, moment = moment_at(record, round_number, move)
    if moment.lifted:
        return []
    game, _ = begin(record, BLUFF)
    outlook = Outlook(game.rules, played.owned, moment, moment.seat, weight)
    raises = list(outlook.raises())
    challenge = outlook.challenge()
    if challenge is None:
        return raises
    return [challenge, *raises]
