"""All that comes of one recorded turn of Lügen-Kniffel: the one place where it is settled."""

from dataclasses import asdict, dataclass, replace
from typing import Final, NamedTuple

from engine.clock import CLOCK, Ended
from engine.illegal import Illegal
from engine.kniffel.combinations import Ruleset
from engine.kniffel.game import Game, Turn, TurnEnd
from engine.kniffel.sheet import Sheet
from engine.messages import say
from engine.record.kind import Ending
from engine.record.kniffel.turn import TurnRecord
from engine.record.shape import Json, join

GAME_OVER: Final = Illegal("game_over", say("the game ended before this turn"))
NOBODY: Final = -1
"""The roller of an entry that is no turn of anybody."""
AT_FAULT: Final = {
    "no_such_announcement": "say",
    "category_closed": "say",
    "bad_doubter": "doubts",
    "dice_needed": "dice",
}
"""The key of a turn that breaks a rule of the table."""


class TurnResult(NamedTuple):
    """All that came of one turn, or of an entry that is none: seats left (`forfeit`), the turn was
    void, or time was up (`ended`)."""

    outcome: TurnEnd
    forfeit: tuple[int, ...] = ()
    void: bool = False
    ended: Ended | None = None

    def as_json(self) -> dict[str, Json]:
        """The roller's seat, and score and truth of the announcement, null where the dice aren't
        recorded; else what the entry tells."""
        if self.ended is not None:
            return {"ended": self.ended}
        forfeit: dict[str, Json] = {"forfeit": list(self.forfeit)} if self.forfeit else {}
        if self.void:
            return {"seat": self.outcome.seat, "void": True} | forfeit
        return forfeit or self.outcome._asdict()


@dataclass(frozen=True, slots=True)
class SheetResult:
    """All that the checker answers about the sheet of one seat."""

    sheet: Sheet

    def as_json(self) -> dict[str, Json]:
        """Points, cross and strikes of each of the thirteen combinations."""
        return {combination: asdict(field) for combination, field in self.sheet.items()}


@dataclass(frozen=True, slots=True)
class TableEnding(Ending):
    """All that a game of Lügen-Kniffel has come to: the `sheets` by seat, and at the end the
    `bonus` in their totals."""

    bonus: tuple[int, ...] | None = None
    sheets: tuple[SheetResult, ...] = ()


def start(rules: Ruleset, seats: int, opener: int) -> Game:
    """The table before its first turn."""
    return Game(seats, opener, rules)


def settle(table: Game, turn: TurnRecord, path: str, last: bool = True) -> TurnResult | Illegal:
    """Play one recorded turn on at `table`: what came of it, or its fault.

    `path` names the turn in the record. A turn always tells its end, whether it is the `last` or
    not."""
    if turn.ended is not None and table.ended is None:
        return _end_by_clock(table, path)
    if table.roller is None:
        return replace(GAME_OVER, path=path)
    if turn.announcement is None or turn.void:
        return _break_off(table, turn, table.roller, path)
    outcome = table.play(Turn(turn.announcement, turn.doubters, turn.dice))
    if isinstance(outcome, Illegal):
        return replace(outcome, path=join(path, AT_FAULT[outcome.code]))
    return TurnResult(outcome)


def _end_by_clock(table: Game, path: str) -> TurnResult | Illegal:
    """Time is up. Ruling K17."""
    wrong = table.end_by_clock()
    if wrong is not None:
        return replace(wrong, path=join(path, "ended"))
    return TurnResult(TurnEnd(NOBODY, None, None), ended=CLOCK)


def _break_off(table: Game, turn: TurnRecord, roller: int, path: str) -> TurnResult | Illegal:
    """Seats leave, or the turn is void: by the roller's leaving, else it is taken again. Rulings
    K15, K17."""
    wrong = None if turn.announcement is None else table.fault(roller, Turn(turn.announcement))
    if wrong is not None:
        return replace(wrong, path=join(path, AT_FAULT[wrong.code]))
    if turn.forfeit:
        if turn.void and roller not in turn.forfeit:
            return Illegal(
                "wrong_seat",
                say(
                    "only the leaving of the roller, seat {seat}, makes the turn void", seat=roller
                ),
                path=join(path, "forfeit"),
            )
        wrong = table.forfeit(turn.forfeit)
        if wrong is not None:
            return replace(wrong, path=join(path, "forfeit"))
    return TurnResult(TurnEnd(roller, None, None), turn.forfeit, turn.void)


def ending(table: Game) -> TableEnding:
    """Return what a game has come to. Rulings K10, K12, K13 (K), K15, K17."""
    sheets = tuple([SheetResult(sheet) for sheet in table.sheets])
    if not table.over:
        return TableEnding(sheets=sheets)
    totals = tuple(table.totals)
    return TableEnding(True, tuple(table.rank), totals, None, totals, tuple(table.bonus), sheets)
