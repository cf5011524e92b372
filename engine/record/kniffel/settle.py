"""Settle one recorded turn of Lügen-Kniffel.

Play, checks, replays and verification all settle turns here.
"""

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
"""The roller of an entry that isn't a turn."""
AT_FAULT: Final = {
    "no_such_announcement": "say",
    "category_closed": "say",
    "bad_doubter": "doubts",
    "dice_needed": "dice",
}
"""The key of a turn that each fault belongs to, by code."""


class TurnResult(NamedTuple):
    """The result of one turn, or of an entry that isn't a turn.

    Such an entry says which seats left (`forfeit`), that the turn was void, or that time was up
    (`ended`).
    """

    outcome: TurnEnd
    forfeit: tuple[int, ...] = ()
    void: bool = False
    ended: Ended | None = None

    def as_json(self) -> dict[str, Json]:
        """Return the roller's seat, and score and truth of the announcement, null without dice.

        An entry that isn't a turn has its own keys instead.
        """
        if self.ended is not None:
            return {"ended": self.ended}
        if not self.void and not self.forfeit:
            return self.outcome._asdict()
        keys: dict[str, Json] = {}
        if self.void:
            keys["seat"] = self.outcome.seat
            keys["void"] = True
        if self.forfeit:
            keys["forfeit"] = list(self.forfeit)
        return keys


@dataclass(frozen=True, slots=True)
class SheetResult:
    """The checker's answer about the sheet of one seat."""

    sheet: Sheet

    def as_json(self) -> dict[str, Json]:
        """Return points, cross and strikes of each of the thirteen combinations."""
        return {combination: asdict(field) for combination, field in self.sheet.items()}


@dataclass(frozen=True, slots=True)
class TableEnding(Ending):
    """The end of a game of Lügen-Kniffel.

    `sheets` are by seat; `bonus` is the bonus in each total, once the game is over.
    """

    bonus: tuple[int, ...] | None = None
    sheets: tuple[SheetResult, ...] = ()


def start(rules: Ruleset, seats: int, opener: int) -> Game:
    """Return the table before its first turn."""
    return Game(seats, opener, rules)


def settle(table: Game, turn: TurnRecord, path: str, last: bool = True) -> TurnResult | Illegal:
    """Play one recorded turn at `table`, and return its result or its fault.

    `path`: of the turn in the record. `last` isn't used: unlike a round of Bluff, even the last
    turn of a record has its end.
    """
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
    """End the game because time is up (Ruling K17)."""
    wrong = table.end_by_clock()
    if wrong is not None:
        return replace(wrong, path=join(path, "ended"))
    return TurnResult(TurnEnd(NOBODY, None, None), ended=CLOCK)


def _break_off(table: Game, turn: TurnRecord, roller: int, path: str) -> TurnResult | Illegal:
    """Let seats leave (Ruling K15), or void the turn (Ruling K17).

    A void turn is taken again, unless its roller left.
    """
    if turn.announcement is not None:
        wrong = table.fault(roller, Turn(turn.announcement))
        if wrong is not None:
            return replace(wrong, path=join(path, AT_FAULT[wrong.code]))
    if turn.forfeit:
        if turn.void and roller not in turn.forfeit:
            return Illegal(
                "wrong_seat",
                say("the turn is void only if the roller, seat {seat}, leaves", seat=roller),
                path=join(path, "forfeit"),
            )
        wrong = table.forfeit(turn.forfeit)
        if wrong is not None:
            return replace(wrong, path=join(path, "forfeit"))
    without_score = TurnEnd(roller, None, None)
    return TurnResult(without_score, turn.forfeit, turn.void)


def ending(table: Game) -> TableEnding:
    """Return the sheets of a game, with ranks and totals once it is over."""
    sheets = tuple([SheetResult(sheet) for sheet in table.sheets])
    if not table.over:
        return TableEnding(sheets=sheets)
    totals = tuple(table.totals)
    return TableEnding(
        over=True,
        rank=tuple(table.rank),
        points=totals,
        totals=totals,
        bonus=tuple(table.bonus),
        sheets=sheets,
    )
