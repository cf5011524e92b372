"""Lügen-Kniffel in the game record: its ruleset, the verdict on a game, the canonical form of its turns."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Final

from engine.illegal import Illegal
from engine.kniffel.combinations import TRUTH, Ruleset
from engine.kniffel.sheet import Sheet
from engine.kniffel.table import SEATS, Outcome, Table, Turn
from engine.record.format import Format
from engine.record.kniffel.turn import TurnRecord, read_turn, turn_json
from engine.record.shape import Json, join, members, one_of, truth
from engine.record.verdict import Verdict

if TYPE_CHECKING:
    from engine.record.record import Record

AT_FAULT: Final = {
    "no_such_announcement": "say",
    "category_closed": "say",
    "bad_doubter": "doubts",
    "dice_needed": "dice",
}
"""The key of a turn that breaks a rule of the table."""


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What the checker tells about one turn."""

    outcome: Outcome

    def as_json(self) -> dict[str, Json]:
        """The roller's seat, and score and truth of the announcement, null where the dice aren't told."""
        return self.outcome._asdict()


@dataclass(frozen=True, slots=True)
class SheetResult:
    """What the checker tells about the sheet of one seat."""

    sheet: Sheet

    def as_json(self) -> dict[str, Json]:
        """Points, cross and strikes of each of the thirteen combinations."""
        return {combination: asdict(field) for combination, field in self.sheet.items()}


def read_rules(value: Json, path: str) -> Ruleset:
    """The ruleset that `value` tells, defaults filled in; raises `Fault`."""
    told = members(value, path, (), ("truth", "allow_zero"))
    default = Ruleset()
    return Ruleset(
        truth=one_of(told.get("truth", default.truth), join(path, "truth"), TRUTH),
        allow_zero=truth(told.get("allow_zero", default.allow_zero), join(path, "allow_zero")),
    )


def new_table(record: "Record") -> Table:
    """The table of a record of Lügen-Kniffel before its first turn."""
    assert isinstance(record.rules, Ruleset)
    return Table(len(record.seats), record.opener, record.rules)


def check(record: "Record") -> Verdict:
    """The verdict on a game of Lügen-Kniffel: the first fault in reading order, or what came of it."""
    table = new_table(record)
    results: list[TurnResult] = []
    for i, value in enumerate(record.rounds):
        outcome = _next_turn(table, value, f"turns[{i}]")
        if isinstance(outcome, Illegal):
            return Verdict(record.id, record.game, replace(outcome, turn=i), turns=results)
        results.append(TurnResult(outcome))
    totals = tuple(table.totals) if table.over else None
    return Verdict(
        record.id,
        record.game,
        over=table.over,
        rank=tuple(table.rank) if table.over else None,
        points=totals,
        turns=results,
        totals=totals,
        bonus=tuple(table.bonus) if table.over else None,
        sheets=[SheetResult(sheet) for sheet in table.sheets],
    )


def _next_turn(table: Table, value: Json, path: str) -> Outcome | Illegal:
    if table.over:
        return Illegal("game_over", "the game ended before this turn", path=path)
    told = read_turn(value, path)
    return told if isinstance(told, Illegal) else check_turn(table, told, path)


def check_turn(table: Table, told: TurnRecord, path: str) -> Outcome | Illegal:
    """Play one recorded turn on at `table`, which isn't over: what came of it, or its fault.

    `path` names the turn in the record.
    """
    outcome = table.play(Turn(told.announcement, told.doubters, told.dice))
    if isinstance(outcome, Illegal):
        return replace(outcome, path=join(path, AT_FAULT[outcome.code]))
    return outcome


def facts(record: "Record") -> Iterator[TurnRecord]:
    """The turns of a record that is ok; ValueError at a turn that can't be read."""
    for i, value in enumerate(record.rounds):
        told = read_turn(value, f"turns[{i}]")
        if isinstance(told, Illegal):
            raise ValueError(f"{told.path}: {told.message}")
        yield told


def _canonical(record: "Record") -> Iterator[dict[str, Json]]:
    return map(turn_json, facts(record))


FORMAT: Final = Format("turns", SEATS, read_rules, check, _canonical)
