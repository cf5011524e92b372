"""Lügen-Kniffel after the game: how likely each announcement was, and what a doubt was worth to
each seat.

A doubter knows what is public: the announcement, the sheets, and how often the roller rolled. The
number of dice kept isn't public: a cup is turned over even if nothing stays, so that it remains
unknown (ruling K11).

The chance that an announcement is true is that of a roller who aims at it optimally from the first
die on. A roller who takes what comes reaches it more rarely, and a deliberate liar never does; so
the figure is an upper limit for the truth, and says nothing about how honest the roller is.
"""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from engine.analysis.outlook import PLACES
from engine.illegal import Illegal
from engine.kniffel.combinations import Announcement
from engine.kniffel.notation import announcement_text
from engine.kniffel.rolls import ROLLS
from engine.kniffel.sheet import Sheet
from engine.record.kniffel.kind import KNIFFEL
from engine.record.kniffel.settle import settle
from engine.record.record import Record, begin
from engine.record.shape import Json

CANNOT_TELL: Final = (
    "The chance is that of a roller who aimed at this announcement; who lies by habit is below it.",
    "Points are those on the sheet now: a field that stays open, a first strike and the end of the "
    "game are not valued.",
    "Where the number of rolls isn't told, three are taken, the most there can be.",
)
"""The limits of these figures."""


class Doubt(NamedTuple):
    """The value of a doubt to one seat, in points of its own sheet, including the bonus.

    `gain`: points if the announcement is a lie. `risk`: points lost if it is true. `crosses`: a
    wrong doubt crosses the field. `value`: chance of a lie × gain − chance of truth × risk.
    `doubted`: whether the seat doubted.
    """

    seat: int
    gain: int
    risk: int
    crosses: bool
    value: float
    doubted: bool

    @property
    def cost(self) -> float:
        """Return the points that the choice fell short of the better one; never negative.

        Not to doubt is worth 0."""
        chosen = self.value if self.doubted else 0.0
        return max(self.value, 0.0) - chosen

    @property
    def pays_below(self) -> float | None:
        """Return the chance of truth below which a doubt pays; None if it changes no points."""
        if not self.gain and not self.risk:
            return None
        return self.gain / (self.gain + self.risk)

    def as_json(self) -> dict[str, Json]:
        """Return the doubt as a JSON object."""
        below = self.pays_below
        return {
            "seat": self.seat,
            "gain": self.gain,
            "risk": self.risk,
            "crosses": self.crosses,
            "value": round(self.value, PLACES),
            "pays_below": None if below is None else round(below, PLACES),
            "doubted": self.doubted,
            "cost": round(self.cost, PLACES),
        }


@dataclass(frozen=True, slots=True)
class TurnAnalysis:
    """A turn. `number`: its place in the record, from 0; `rolls`: how many, None if not recorded.

    `chance`: that the announcement is true, 0 to 1. `true`: whether it was, None if the dice aren't
    recorded. `doubts`: of each seat in play except the roller.
    """

    number: int
    seat: int
    announcement: Announcement
    rolls: int | None
    chance: float
    true: bool | None
    doubts: tuple[Doubt, ...]

    def as_json(self) -> dict[str, Json]:
        """Return the turn as a JSON object."""
        return {
            "turn": self.number,
            "seat": self.seat,
            "say": announcement_text(self.announcement),
            "rolls": self.rolls,
            "chance": round(self.chance, PLACES),
            "true": self.true,
            "doubts": [doubt.as_json() for doubt in self.doubts],
        }


@dataclass(frozen=True, slots=True)
class KniffelAnalysis:
    """A game of Lügen-Kniffel, turn by turn, without void ones."""

    record_id: str
    seats: tuple[str, ...]
    turns: tuple[TurnAnalysis, ...]

    def costliest(self) -> list[tuple[int, Doubt]]:
        """Return the choices with a cost, each with its turn from 0, the costliest first."""
        costly: list[tuple[int, Doubt]] = []
        for turn in self.turns:
            costly += [(turn.number, doubt) for doubt in turn.doubts if doubt.cost > 0]
        return sorted(costly, key=lambda choice: -choice[1].cost)

    def as_json(self) -> dict[str, Json]:
        """Return the analysis as a JSON object; chances from 0 to 1, all else in points."""
        costliest: list[Json] = [
            {"turn": turn, "seat": doubt.seat, "cost": round(doubt.cost, PLACES)}
            for turn, doubt in self.costliest()
        ]
        return {
            "id": self.record_id,
            "game": "luegen-kniffel",
            "seats": list(self.seats),
            "turns": [turn.as_json() for turn in self.turns],
            "costliest": costliest,
            "cannot_tell": list(CANNOT_TELL),
        }


def analyse(record: Record) -> KniffelAnalysis:
    """Return the analysis of a game of Lügen-Kniffel. Raise ValueError for a record with errors."""
    # NumPy takes longer to load than a game of Bluff to analyse, and Bluff works without it.
    from engine.analysis.aim import reached

    table, recorded = begin(record, KNIFFEL)
    turns: list[TurnAnalysis] = []
    for i, turn in enumerate(recorded):
        announcement = turn.announcement
        sheets: dict[int, Sheet] = {}
        if announcement is not None:
            combination = announcement.combination
            sheets = {
                seat: _with_copied_field(table.sheets[seat], combination) for seat in table.playing
            }
        # `settle` notes the turn on the table's sheets, so the fields were copied before.
        result = settle(table, turn, f"turns[{i}]")
        if isinstance(result, Illegal):
            raise ValueError(f"{result.path}: {result.message}")
        if announcement is None or turn.void:
            continue
        outcome = result.outcome
        chance = reached(announcement, len(turn.rolls) or ROLLS[-1], table.rules.truth)
        doubts = [
            doubt(seat, sheet, announcement, chance, doubted=seat in turn.doubters)
            for seat, sheet in sheets.items()
            if seat != outcome.seat
        ]
        turns.append(
            TurnAnalysis(
                number=i,
                seat=outcome.seat,
                announcement=announcement,
                rolls=len(turn.rolls) or None,
                chance=chance,
                true=outcome.true,
                doubts=tuple(doubts),
            )
        )
    return KniffelAnalysis(record.record_id, record.seats, tuple(turns))


def doubt(
    seat: int, sheet: Sheet, announcement: Announcement, chance: float, *, doubted: bool
) -> Doubt:
    """Return the value of a doubt to the owner of `sheet`.

    `chance`: that the announcement is true. `doubted`: whether the owner doubted it. Rulings K7 to
    K9 say who notes the points or takes a strike, K12 what bonus there is."""
    combination, points = announcement
    after_lie = _with_copied_field(sheet, combination)
    after_truth = _with_copied_field(sheet, combination)
    if combination != "kniffel" and not sheet[combination].filled:
        after_lie[combination].note(points)
    after_truth[combination].strike()
    gain = after_lie.total - sheet.total
    risk = sheet.total - after_truth.total
    return Doubt(
        seat=seat,
        gain=gain,
        risk=risk,
        crosses=after_truth[combination].crossed and not sheet[combination].crossed,
        value=(1 - chance) * gain - chance * risk,
        doubted=doubted,
    )


def _with_copied_field(sheet: Sheet, combination: str) -> Sheet:
    copy = Sheet()
    copy.update(sheet)
    copy[combination] = replace(sheet[combination])
    return copy
