"""The turns of a recorded game of Lügen-Kniffel: what was recorded of each, and what the engine
made of it."""

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
"""The effect of a turn on a field: points noted (K6–K8), a strike, the strike that crosses it, one
that changes nothing any more (K9); or why a doubter who was right noted nothing: a Kniffel is the
roller's alone, or the field was filled (K8). """
RULING: Final = {None: "K6", True: "K7", False: "K8"}
"""The ruling by whether a doubted announcement was true; None for one that nobody doubted."""


@dataclass(frozen=True, slots=True)
class Throw:
    """One roll: the dice rolled, and those of them that stay when the next follows; None after the
    last (K11)."""

    dice: str
    kept_dice: str | None


@dataclass(frozen=True, slots=True)
class SheetChange:
    """The effect of a turn on the field of a seat. `points`: those noted, or those lost when the
    field was crossed."""

    seat: int
    effect: Effect
    points: int | None = None


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One turn of a game's record, with `number` counted from 1 as on the page.

    `throws` and `dice` are as far as the record tells them; `score` is what the dice score as
    announced, `truth` tells if that is true, both None where the dice aren't recorded. `ruling` is
    the one that decided: K6, K7 or K8. `changes`: the roller's first, then the doubters'. `full`:
    seats whose sheet this turn filled. `last_lap`: with it the last lap began. `skipped`: seats
    whose turn would have come next, but their sheets are full; `roller_next` is None when the game
    is over (K10).

    An entry of the level `void`, `forfeit` or `clock` is no whole turn: seats left (`forfeit`), the
    turn of `seat` was void, or time was up. `combination` is empty then, and `ruling` is K15 or
    K17."""

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
        """True if it is a turn that counts."""
        return bool(self.combination)

    @property
    def lie(self) -> bool:
        """True if the roller was caught. A lie that nobody doubts is none (K6)."""
        return self.ruling == "K8"

    @property
    def strikes(self) -> bool:
        """True if anybody got a strike (K9)."""
        return any(change.effect in ("struck", "crossed", "spent") for change in self.changes)


@dataclass(frozen=True, slots=True)
class Cell:
    """A field on one sheet, and what the last turn did to it; None if it didn't concern it."""

    field: Field
    effect: Effect | None


@dataclass(frozen=True, slots=True)
class SheetsView:
    """Sheets side by side: a row of cells for each combination, in seat order, and the figures
    under them."""

    upper: tuple[tuple[str, tuple[Cell, ...]], ...]
    lower: tuple[tuple[str, tuple[Cell, ...]], ...]
    sheets: tuple[Sheet, ...]


def turns_of(record: Record) -> list[PlayedTurn]:
    """The turns of a record of Lügen-Kniffel that is ok, in order."""
    table, recorded = begin(record, KNIFFEL)
    return [played_turn(number, table, turn) for number, turn in enumerate(recorded, start=1)]


def sheets_after(record: Record, turns: Sequence[PlayedTurn]) -> SheetsView:
    """The sheets as they stood after the last of `turns`, which are the first ones of the
    record."""
    table, recorded = begin(record, KNIFFEL)
    for turn, _ in zip(recorded, turns, strict=False):
        _play(table, turn)
    return sheets_view(table.sheets, turns[-1] if turns else None)


def sheets_view(sheets: Sequence[Sheet], last: PlayedTurn | None) -> SheetsView:
    """The sheets of a table side by side, with what the `last` turn did to them."""
    effects = (
        {(last.combination, change.seat): change.effect for change in last.changes} if last else {}
    )

    def row(name: str) -> tuple[str, tuple[Cell, ...]]:
        return name, tuple(
            [Cell(sheet[name], effects.get((name, seat))) for seat, sheet in enumerate(sheets)]
        )

    return SheetsView(tuple(map(row, UPPER)), tuple(map(row, LOWER)), tuple(sheets))


def _play(table: Game, turn: TurnRecord) -> TurnEnd:
    result = settle(table, turn, "")
    assert not isinstance(result, Illegal)
    return result.outcome


def _broken(number: int, table: Game, turn: TurnRecord) -> PlayedTurn:
    """Play on an entry that is no whole turn."""
    outcome = _play(table, turn)
    return PlayedTurn(
        number=number,
        level="clock" if turn.ended else "void" if turn.void else "forfeit",
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
    """Play a turn on at the table, and tell its effects on the sheets."""
    if turn.announcement is None or turn.void:
        return _broken(number, table, turn)
    combination, points = turn.announcement
    before = [replace(sheet[combination]) for sheet in table.sheets]
    were_full = [sheet.full for sheet in table.sheets]
    outcome = _play(table, turn)
    ruling = RULING[outcome.true if turn.doubters else None]
    full = tuple(
        [seat for seat, sheet in enumerate(table.sheets) if sheet.full and not were_full[seat]]
    )
    concerned = (outcome.seat, *turn.doubters)
    return PlayedTurn(
        number=number,
        level="rolls" if turn.rolls else "said" if turn.dice is None else "dice",
        seat=outcome.seat,
        throws=_throws(turn.rolls),
        dice=None if turn.dice is None else dice_text(turn.dice),
        combination=combination,
        points=points,
        doubters=turn.doubters,
        score=outcome.score,
        truth=outcome.true,
        ruling=ruling,
        changes=tuple(
            [
                _change(
                    seat,
                    turn.announcement,
                    before[seat],
                    table.sheets[seat][combination],
                    struck=struck,
                )
                for seat, struck in zip(concerned, _struck(ruling, len(concerned)), strict=True)
            ]
        ),
        forfeit=(),
        full=full,
        last_lap=bool(full) and not any(were_full),
        skipped=_skipped(outcome.seat, table),
        roller_next=table.roller,
    )


def _throws(rolls: Sequence[Roll]) -> tuple[Throw, ...]:
    kept_dice = [*(dice_text(roll.kept) for roll in rolls[1:]), None]
    return tuple(
        [Throw(dice_text(roll.new), dice) for roll, dice in zip(rolls, kept_dice, strict=False)]
    )


def _struck(ruling: str, concerned: int) -> list[bool]:
    """The seats that get a strike, roller first: the roller for a lie, else the doubters. Rulings
    K7, K8 (K)."""
    return [ruling == "K8", *[ruling == "K7"] * (concerned - 1)]


def _change(
    seat: int, announcement: Announcement, before: Field, after: Field, *, struck: bool
) -> SheetChange:
    """The effect of the turn on the field of a seat that it concerns."""
    if struck:
        if before.strikes == STRIKES_TO_CROSS:
            return SheetChange(seat, "spent")
        return (
            SheetChange(seat, "crossed", before.points)
            if after.crossed
            else SheetChange(seat, "struck")
        )
    if after == before:
        return SheetChange(seat, "kniffel" if announcement.combination == "kniffel" else "closed")
    return SheetChange(seat, "noted", after.points)


def _skipped(roller: int, table: Game) -> tuple[int, ...]:
    """The seats that play between this roller and the next one; none when the game is over. Ruling
    K10 (K)."""
    if table.roller is None:
        return ()
    seats = len(table.sheets)
    between = (table.roller - roller - 1) % seats
    skipped = [(roller + step) % seats for step in range(1, between + 1)]
    return tuple([seat for seat in skipped if seat in table.playing])
