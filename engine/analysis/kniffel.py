"""Lügen-Kniffel after the game: how likely each announcement was, and what a doubt was worth to
each seat.

What a doubter knows is public: the announcement, the sheets, and how often the roller rolled. How
many dice were kept is not: a cup is turned over even where nothing stays, so that nobody can tell
(K, ruling K11).

The chance that an announcement is true is that of a roller who aims at it from the first die on, as
well as can be. A roller who takes what comes reaches this one announcement more rarely, and a liar
by choice never does; so the figure is what truth can be stretched to, not how honest the roller is.
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
    "Points are those on the sheet now: a field that stays open, a first strike and the end of "
    "the game are not "
    "valued.",
    "Where the number of rolls isn't told, three are taken, the most there can be.",
)
"""What these figures can't tell."""


class Doubt(NamedTuple):
    """All that a doubt was worth to one seat, in points of its own sheet, bonus included.

    `gain`: points if the announcement is a lie. `risk`: points lost if it is true. `crosses`: a
    wrong doubt crosses the field. `value`: chance of a lie × gain − chance of truth × risk. `cost`:
    how far the choice, to doubt (`doubted`) or not (worth 0), fell short of the better one."""

    seat: int
    gain: int
    risk: int
    crosses: bool
    value: float
    doubted: bool

    @property
    def cost(self) -> float:
        """Points that the choice fell short of the better one; never negative."""
        return max(self.value, 0.0) - (self.value if self.doubted else 0.0)

    @property
    def pays_below(self) -> float | None:
        """The chance of truth below which a doubt pays; None where it changes no points."""
        return self.gain / (self.gain + self.risk) if self.gain or self.risk else None

    def as_json(self) -> dict[str, Json]:
        """The doubt as a JSON object."""
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
    """One turn. `number`: its place in the record, from 0; `rolls`: how many, None where not
    recorded.

    `chance`: that the announcement is true, 0 to 1. `true`: whether it was, None where the dice
    aren't recorded. `doubts`: of every seat that plays but the roller."""

    number: int
    seat: int
    announcement: Announcement
    rolls: int | None
    chance: float
    true: bool | None
    doubts: tuple[Doubt, ...]

    def as_json(self) -> dict[str, Json]:
        """The turn as a JSON object."""
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
    """A game of Lügen-Kniffel, turn by turn, void ones left out."""

    record_id: str
    seats: tuple[str, ...]
    turns: tuple[TurnAnalysis, ...]

    def costliest(self) -> list[tuple[int, Doubt]]:
        """The doubts made or left out that cost something, each with its turn from 0, the costliest
        first."""
        costly = [
            (turn.number, doubt) for turn in self.turns for doubt in turn.doubts if doubt.cost > 0
        ]
        return sorted(costly, key=lambda doubt: -doubt[1].cost)

    def as_json(self) -> dict[str, Json]:
        """The analysis as a JSON object; chances from 0 to 1, all else in points."""
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
    """Return what was announced and doubted in a game of Lügen-Kniffel, void turns left out.

    ValueError for a record that isn't ok.
    """
    # NumPy takes longer to load than a game of Bluff to analyse, and Bluff does without it.
    from engine.analysis.aim import reached

    table, recorded = begin(record, KNIFFEL)
    turns: list[TurnAnalysis] = []
    for i, turn in enumerate(recorded):
        announcement, playing = turn.announcement, table.playing
        combination = "" if announcement is None else announcement.combination
        sheets = {seat: _with(table.sheets[seat], combination) for seat in playing if combination}
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
                i,
                outcome.seat,
                announcement,
                len(turn.rolls) or None,
                chance,
                outcome.true,
                tuple(doubts),
            )
        )
    return KniffelAnalysis(record.record_id, record.seats, tuple(turns))


def doubt(
    seat: int, sheet: Sheet, announcement: Announcement, chance: float, *, doubted: bool
) -> Doubt:
    """Return what a doubt is worth to the owner of `sheet` when the announcement is true with
    `chance`.

    Rulings K7, K8, K9, K12 (K).
    """
    combination, points = announcement
    lie, truth = _with(sheet, combination), _with(sheet, combination)
    if combination != "kniffel" and not sheet[combination].filled:
        lie[combination].note(points)
    truth[combination].strike()
    gain, risk = lie.total - sheet.total, sheet.total - truth.total
    crosses = truth[combination].crossed and not sheet[combination].crossed
    return Doubt(seat, gain, risk, crosses, (1 - chance) * gain - chance * risk, doubted)


def _with(sheet: Sheet, combination: str) -> Sheet:
    """The sheet with a copy of one field, so that this field can be changed."""
    copy = Sheet()
    copy.update(sheet)
    copy[combination] = replace(sheet[combination])
    return copy
