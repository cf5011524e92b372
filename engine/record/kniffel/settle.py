"""All that comes of one recorded turn of Lügen-Kniffel: the one place where it is settled."""

from dataclasses import asdict, dataclass, replace
from typing import Final

from engine.illegal import Illegal
from engine.kniffel.combinations import Ruleset
from engine.kniffel.game import Game, Turn, TurnEnd
from engine.kniffel.sheet import Sheet
from engine.messages import say
from engine.record.kind import Ending
from engine.record.kniffel.turn import TurnRecord
from engine.record.shape import Json, join

GAME_OVER: Final = Illegal("game_over", say("the game ended before this turn"))
AT_FAULT: Final = {
    "no_such_announcement": "say",
    "category_closed": "say",
    "bad_doubter": "doubts",
    "dice_needed": "dice",
}
"""The key of a turn that breaks a rule of the table."""


@dataclass(frozen=True, slots=True)
class TurnResult:
    """All that came of one turn."""

    outcome: TurnEnd

    def as_json(self) -> dict[str, Json]:
        """The roller's seat, and score and truth of the announcement, null where the dice aren't recorded."""
        return self.outcome._asdict()


@dataclass(frozen=True, slots=True)
class SheetResult:
    """All that the checker answers about the sheet of one seat."""

    sheet: Sheet

    def as_json(self) -> dict[str, Json]:
        """Points, cross and strikes of each of the thirteen combinations."""
        return {combination: asdict(field) for combination, field in self.sheet.items()}


@dataclass(frozen=True, slots=True)
class TableEnding(Ending):
    """All that a game of Lügen-Kniffel has come to: the `sheets` by seat, and at the end the `bonus` in their
    totals."""

    bonus: tuple[int, ...] | None = None
    sheets: tuple[SheetResult, ...] = ()


def start(rules: Ruleset, seats: int, opener: int) -> Game:
    """The table before its first turn."""
    return Game(seats, opener, rules)


def settle(table: Game, turn: TurnRecord, path: str, last: bool = True) -> TurnResult | Illegal:
    """Play one recorded turn on at `table`: what came of it, or its fault.

    `path` names the turn in the record. A turn always tells its end, whether it is the `last` or not.
    """
    if table.over:
        return replace(GAME_OVER, path=path)
    outcome = table.play(Turn(turn.announcement, turn.doubters, turn.dice))
    if isinstance(outcome, Illegal):
        return replace(outcome, path=join(path, AT_FAULT[outcome.code]))
    return TurnResult(outcome)


def ending(table: Game) -> TableEnding:
    """Return what a game has come to. Rulings K10, K12, K13 (K)."""
    sheets = tuple([SheetResult(sheet) for sheet in table.sheets])
    if not table.over:
        return TableEnding(sheets=sheets)
    totals = tuple(table.totals)
    return TableEnding(True, tuple(table.rank), totals, None, totals, tuple(table.bonus), sheets)
