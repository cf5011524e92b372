"""The turns of a recorded game of Lügen-Kniffel, with the engine's verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.illegal import Illegal
from engine.kniffel.combinations import LOWER, UPPER, Announcement
from engine.kniffel.game import Game, TurnEnd
from engine.kniffel.notation import dice_text
from engine.kniffel.rolls import Roll
from engine.kniffel.sheet import STRIKES_TO_CROSS, Field, Sheet
from engine.record.kniffel.kind import KNIFFEL
from engine.record.kniffel.settle import settle
from engine.record.kniffel.turn import TurnRecord
from engine.record.record import Record, begin

TurnLevel = Literal["rolls", "dice", "said", "void", "forfeit", "clock"]
Effect = Literal["noted", "struck", "crossed", "spent", "kniffel", "closed"]
"""The effect of a turn on a field: points noted (K6–K8), a strike, the strike that crosses it,
or a strike without effect (K9). The last two say why a doubter who was right noted nothing: a
Kniffel belongs to the roller, or the field was filled (K8)."""
RULING: Final = {None: "K6", True: "K7", False: "K8"}
"""The ruling, by whether a doubted announcement was true; None for an undoubted one."""


@dataclass(frozen=True, slots=True)
class Throw:
    """A roll: the dice rolled, and those of them kept for the next roll; None after the last
    (K11)."""

    dice: str
    kept_dice: str | None


@dataclass(frozen=True, slots=True)
class SheetChange:
    """The effect of a turn on a seat's field. `points`: those noted, or those lost when the
    field was crossed."""

    seat: int
    effect: Effect
    points: int | None = None


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn of a game's record, with `number` counted from 1 as on the page.

    `throws` and `dice`: as far as recorded. `score`: what the dice score in the announced
    combination; `truth`: whether the announcement was true; both None if the dice aren't recorded.
    `ruling`: the one that decided: K6, K7 or K8. `changes`: the roller's first, then the doubters'.
    `full`: seats whose sheet this turn filled. `last_lap`: whether it began the last lap.
    `skipped`: seats whose turn would have come next, but whose sheets are full; `roller_next` is
    None when the game is over (K10).

    An entry of the level `void`, `forfeit` or `clock` is no complete turn: seats left (`forfeit`),
    the turn of `seat` was void, or time was up. `combination` is empty then, and `ruling` is K15 or
    K17.
    """

    number: int
    level: TurnLevel
    seat: int
    throws: tuple[Throw, ...]
    dice: str | None
    combination: str
    points: int
    doubters: tuple[int, ...]
    score: int | None
    truth: bool | None
    ruling: str
    changes: tuple[SheetChange, ...]
    forfeit: tuple[int, ...]
    full: tuple[int, ...]
    last_lap: bool
    skipped: tuple[int, ...]
    roller_next: int | None

    @property
    def whole(self) -> bool:
        """Return True if it is a turn that counts."""
        return bool(self.combination)

    @property
    def lie(self) -> bool:
        """Return True if the roller was caught. An undoubted lie isn't one (K6)."""
        return self.ruling == "K8"

    @property
    def strikes(self) -> bool:
        """Return True if any seat got a strike (K9)."""
        return any(change.effect in ("struck", "crossed", "spent") for change in self.changes)


@dataclass(frozen=True, slots=True)
class Cell:
    """A field on a sheet, and the effect of the last turn on it, None if it had none."""

    field: Field
    effect: Effect | None


@dataclass(frozen=True, slots=True)
class SheetsView:
    """Sheets side by side: a row of cells for each combination, in seat order, and the figures
    below them."""

    upper: tuple[tuple[str, tuple[Cell, ...]], ...]
    lower: tuple[tuple[str, tuple[Cell, ...]], ...]
    sheets: tuple[Sheet, ...]


def turns_of(record: Record) -> list[PlayedTurn]:
    """Return the turns of a valid record of Lügen-Kniffel, in order."""
    table, recorded = begin(record, KNIFFEL)
    return [played_turn(number, table, turn) for number, turn in enumerate(recorded, start=1)]


def sheets_after(record: Record, turns: Sequence[PlayedTurn]) -> SheetsView:
    """Return the sheets after the last of `turns`, which are the first turns of the record."""
    table, recorded = begin(record, KNIFFEL)
    for turn, _ in zip(recorded, turns, strict=False):
        _play(table, turn)
    return sheets_view(table.sheets, turns[-1] if turns else None)


def sheets_view(sheets: Sequence[Sheet], last: PlayedTurn | None) -> SheetsView:
    """Return the sheets of a table side by side, with the effects of the `last` turn."""
    effects: dict[tuple[str, int], Effect] = {}
    if last:
        effects = {(last.combination, change.seat): change.effect for change in last.changes}

    def row(combination: str) -> tuple[str, tuple[Cell, ...]]:
        cells = [
            Cell(sheet[combination], effects.get((combination, seat)))
            for seat, sheet in enumerate(sheets)
        ]
        return combination, tuple(cells)

    return SheetsView(tuple(map(row, UPPER)), tuple(map(row, LOWER)), tuple(sheets))


def _play(table: Game, turn: TurnRecord) -> TurnEnd:
    result = settle(table, turn, "")
    assert not isinstance(result, Illegal)
    return result.outcome


def _incomplete(number: int, table: Game, turn: TurnRecord) -> PlayedTurn:
    outcome = _play(table, turn)
    level: TurnLevel = "forfeit"
    if turn.ended:
        level = "clock"
    elif turn.void:
        level = "void"
    return PlayedTurn(
        number=number,
        level=level,
        seat=outcome.seat,
        throws=_throws(turn.rolls),
        dice=None if turn.dice is None else dice_text(turn.dice),
        combination="",
        points=0,
        doubters=(),
        score=None,
        truth=None,
        ruling="K15" if turn.forfeit else "K17",
        changes=(),
        forfeit=turn.forfeit,
        full=(),
        last_lap=False,
        skipped=(),
        roller_next=table.roller,
    )


def played_turn(number: int, table: Game, turn: TurnRecord) -> PlayedTurn:
    """Play a turn at the table, and return it with its effects on the sheets."""
    if turn.announcement is None or turn.void:
        return _incomplete(number, table, turn)
    combination, points = turn.announcement
    fields_before = [replace(sheet[combination]) for sheet in table.sheets]
    were_full = [sheet.full for sheet in table.sheets]
    outcome = _play(table, turn)
    ruling = RULING[outcome.true if turn.doubters else None]
    full = tuple(
        [seat for seat, sheet in enumerate(table.sheets) if sheet.full and not were_full[seat]]
    )

    # A lie brings the roller a strike (K8), a wrong doubt the doubters (K7).
    changes = []
    for seat in (outcome.seat, *turn.doubters):
        ruling_that_strikes = "K8" if seat == outcome.seat else "K7"
        change = _change(
            seat,
            turn.announcement,
            before=fields_before[seat],
            after=table.sheets[seat][combination],
            gets_strike=ruling == ruling_that_strikes,
        )
        changes.append(change)
    return PlayedTurn(
        number=number,
        level=_level(turn),
        seat=outcome.seat,
        throws=_throws(turn.rolls),
        dice=None if turn.dice is None else dice_text(turn.dice),
        combination=combination,
        points=points,
        doubters=turn.doubters,
        score=outcome.score,
        truth=outcome.true,
        ruling=ruling,
        changes=tuple(changes),
        forfeit=(),
        full=full,
        last_lap=bool(full) and not any(were_full),
        skipped=_skipped_seats(table, outcome.seat),
        roller_next=table.roller,
    )


def _level(turn: TurnRecord) -> TurnLevel:
    if turn.rolls:
        return "rolls"
    return "said" if turn.dice is None else "dice"


def _throws(rolls: Sequence[Roll]) -> tuple[Throw, ...]:
    kept_dice: list[str | None] = [dice_text(roll.kept) for roll in rolls[1:]]
    kept_dice.append(None)
    return tuple(
        [Throw(dice_text(roll.new), kept) for roll, kept in zip(rolls, kept_dice, strict=False)]
    )


def _change(
    seat: int, announcement: Announcement, *, before: Field, after: Field, gets_strike: bool
) -> SheetChange:
    if gets_strike:
        # Further strikes have no effect.
        if before.strikes == STRIKES_TO_CROSS:
            return SheetChange(seat, "spent")
        if after.crossed:
            return SheetChange(seat, "crossed", before.points)
        return SheetChange(seat, "struck")
    # The seat was right to doubt but noted nothing: a Kniffel is never noted, nor is a closed
    # field.
    if after == before:
        return SheetChange(seat, "kniffel" if announcement.combination == "kniffel" else "closed")
    return SheetChange(seat, "noted", after.points)


def _skipped_seats(table: Game, last_roller: int) -> tuple[int, ...]:
    """Return the seats between the last roller and the next one that still play: their sheets are
    full."""
    next_roller = table.roller
    if next_roller is None:
        return ()
    seats = len(table.sheets)
    number_between = (next_roller - last_roller - 1) % seats
    seats_between = [(last_roller + step) % seats for step in range(1, number_between + 1)]
    return tuple([seat for seat in seats_between if seat in table.playing])
