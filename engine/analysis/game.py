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
    lucks,
    roll_luck,
    total,
)
from engine.analysis.moment import at, play
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
    "challenge is worth "
    "is not in the cost.",
    "Dice are valued alike, the first of a seat like its last.",
)
"""What the values and costs can't tell."""


class RoundAnalysis(NamedTuple):
    """One round: the level of detail it was recorded at, its decisions, and the luck of each of its
    rolls."""

    level: Level
    decisions: tuple[Decision, ...]
    rolls: tuple[RolledLuck, ...]

    def as_json(self) -> dict[str, Json]:
        """The round as a JSON object."""
        return {
            "level": self.level,
            "decisions": [decision.as_json() for decision in self.decisions],
            "rolls": [rolled.as_json() for rolled in self.rolls],
        }


class Costly(NamedTuple):
    """A decision that cost something, and its round, from 0."""

    round_number: int
    decision: Decision


@dataclass(frozen=True, slots=True)
class Analysis:
    """A game of Bluff seen through one light. `weight`: that of the bids, 0 for the plain light."""

    record_id: str
    seats: tuple[str, ...]
    weight: float
    rounds: tuple[RoundAnalysis, ...]

    def costliest(self) -> list[Costly]:
        """The decisions that cost something, the costliest first, of equals the earlier one."""
        judged = [
            Costly(i, decision)
            for i, played in enumerate(self.rounds)
            for decision in played.decisions
        ]
        return sorted(
            [costly for costly in judged if costly.decision.cost],
            key=lambda costly: -(costly.decision.cost or 0),
        )

    def rolls(self) -> list[RolledLuck]:
        """The rolls whose luck counts; none in a game that doesn't record all of them."""
        return [rolled for played in self.rounds for rolled in played.rolls]

    def luck(self) -> tuple[Luck, ...] | None:
        """The luck of each seat over the whole game, whatever the light; None where it can't be
        told."""
        rolls = self.rolls()
        return (
            tuple([total(lucks(rolls, seat)) for seat in range(len(self.seats))]) if rolls else None
        )

    def as_json(self) -> dict[str, Json]:
        """The analysis as a JSON object; chances from 0 to 1, all else in dice."""
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
            place: dict[str, Json] = {"round": number, "move": decision.move, "seat": decision.seat}
            yield place | {"cost": round(decision.cost or 0, PLACES)}


def analyse(record: Record, weight: float = PLAIN, only: int | None = None) -> Analysis:
    """Return what each decision of a game of Bluff was worth. ValueError for a record that isn't
    ok.

    `weight`: how much the bids tell of the dice, 0 or more (see `belief`). `only`: the one round,
    from 0, that is looked at; the others then have no decisions."""
    game, recorded = begin(record, BLUFF)
    whole = all_recorded(game.rules, recorded)
    rounds: list[RoundAnalysis] = []
    for number, played in enumerate(play(record)):
        decided = (
            decisions(game.rules, played, weight)
            if only in (None, number) and not played.undone
            else ()
        )
        rolled = tuple(roll_luck(played)) if whole and not played.undone else ()
        rounds.append(RoundAnalysis(played.record.level, decided, rolled))
    return Analysis(record.record_id, record.seats, weight, tuple(rounds))


def options(record: Record, round_number: int, move: int, weight: float = PLAIN) -> list[Option]:
    """All that the seat to act could do before `move` of `round_number`: the challenge, then every
    raise without lay-out.

    None once the cups are up. IndexError if the record tells no such moment. `weight`: as for
    `analyse`."""
    played, moment = at(record, round_number, move)
    if moment.lifted:
        return []
    outlook = Outlook(begin(record, BLUFF)[0].rules, played.owned, moment, moment.seat, weight)
    challenge = outlook.challenge()
    return [*([] if challenge is None else [challenge]), *outlook.raises()]
