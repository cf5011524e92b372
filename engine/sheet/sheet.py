"""Fold the entries of a sheet into the state of its table.

The writing phone, spectators and the sealed game share this one fold. It handles every kind of game
and every level of detail through the kind of the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.kind import Ending
from engine.record.length import too_many_moves, too_many_rounds
from engine.record.record import Record
from engine.record.shape import join, members, one_of, text, whole
from engine.sheet.call import apply_aside
from engine.sheet.entry import ASIDES, TAKE_OVER, SheetEntry

VALUE: Final = "value"
"""The path of an entry's value, as faults name it."""
AMENDS: Final = {
    reason: reason for reason in ("miscounted", "misheard", "mistyped", "wrong_seat", "time_up")
}
"""Reason codes for amending a round; entries hold no free text."""


@dataclass(frozen=True, slots=True)
class LastRound:
    """The table before the last closed round.

    `game` is the state of its game, `notes` are the notes of that round, and `moves` is the number
    of moves in all rounds before it.
    """

    game: dict[str, Any]
    notes: list[dict[str, Any]]
    moves: int

    def as_json(self) -> dict[str, Any]:
        """Return the table as a JSON object."""
        return {"game": self.game, "notes": self.notes, "moves": self.moves}


@dataclass(slots=True)
class OpenSheet:
    """A mutable sheet.

    `record` is the header of the game, without rounds; `game` is the table between two rounds.
    `closed` is the number of closed rounds, and `moves` the number of moves in them. `rounds` holds
    the rounds that were closed on this object: a sheet resumed from its state has fewer than
    `closed`, and can't be amended. `notes` are the notes of the current round. `last_round` is what
    an undo of the last round restores, None once another entry followed it. `fixed` is the number
    of rounds taken over from a sealed game, which can't change; None unless the game is being
    replayed. `call` is the round, from 1, in which the table called the arbiter; None while no call
    is open.
    """

    record: Record
    game: Any
    closed: int = 0
    moves: int = 0
    rounds: list[Any] = field(default_factory=list)
    notes: list[dict[str, Any]] = field(default_factory=list)
    last_round: LastRound | None = None
    fixed: int | None = None
    call: int | None = None

    @property
    def over(self) -> bool:
        """Return True if the game is over."""
        over: bool = self.game.over
        return over

    @property
    def last_begun(self) -> int:
        """Return the number, from 1, of the current round; of a finished game the last one."""
        return self.closed if self.over else self.closed + 1

    @property
    def ending(self) -> Ending:
        """Return the ranks and points of the game so far."""
        return self.record.kind.ending(self.game)

    def state(self) -> dict[str, Any]:
        """Return the JSON object that `resume` needs; its size doesn't grow with the game.

        It has `fixed` only for a replayed game, and `call` only while a call is open.
        """
        state: dict[str, Any] = {
            "opener": self.record.opener,
            "closed": self.closed,
            "moves": self.moves,
            "game": self.record.kind.state(self.game),
            "notes": self.notes,
            "last_round": None,
        }
        if self.last_round is not None:
            state["last_round"] = self.last_round.as_json()
        if self.fixed is not None:
            state["fixed"] = self.fixed
        if self.call is not None:
            state["call"] = self.call
        return state

    def apply(self, entry: SheetEntry) -> Illegal | None:
        """Add an entry to the sheet, or return its fault and change nothing.

        Codes: those of a record's round, with the path of the value's key; `game_over`,
        `round_begun` (too late to name the opener), `nothing_to_undo`, `note_mismatch`,
        `no_such_round`, `taken_over` (the round belongs to a sealed game), `later_rounds` (a round
        after the amended one no longer fits), `too_many_rounds`; for a call or a ruling those of
        `engine.sheet.call.apply_aside`. Raise ValueError for an amendment on a resumed sheet.
        """
        acts: dict[str, Callable[[dict[str, Any]], Illegal | None]] = {
            "opener": self._opener,
            "note": self._note,
            "close": self._close,
            "undo": self._undo,
            "amend": self._amend,
            TAKE_OVER: self._take_over,
        }
        if entry.act not in acts and entry.act not in ASIDES:
            return Illegal(
                "bad_record",
                say("this can't be written down: it is an act of an online table"),
                path="act",
            )
        try:
            if entry.act in ASIDES:
                self.call = apply_aside(self.record.kind, entry, self.call, self.last_begun)
                return None
            return acts[entry.act](entry.value)
        except Refused as refused:
            return refused.illegal

    def whole(self) -> Record:
        """Return the record of the game with all its rounds. Raise ValueError for a resumed
        sheet."""
        self._refuse_if_resumed()
        return replace(self.record, rounds=tuple(self.rounds))

    def _opener(self, value: dict[str, Any]) -> Illegal | None:
        """Set the seat that opens the game, by the roll before it (Rulings B15, K14)."""
        parts = members(value, VALUE, ("seat",), ())
        seat = whole(parts["seat"], join(VALUE, "seat"), range(len(self.record.seats)))
        if self.closed or self.notes or self.fixed is not None:
            return Illegal(
                "round_begun",
                say("the game has begun: who opens has to be said before its first round"),
            )
        self.record = replace(self.record, opener=seat)
        self.game = self.record.start()
        return None

    def _note(self, value: dict[str, Any]) -> Illegal | None:
        """Note a bid or an announcement of the round in play. `read_note` raises `Refused` for one
        that can't stand. After it, the round before can no longer be undone as the last one."""
        if self.over:
            return self.record.kind.game_over
        note = self.record.kind.read_note(self.game, self.notes, value, VALUE)
        self.notes = [*self.notes, note]
        self.last_round = None
        return None

    def _close(self, value: dict[str, Any]) -> Illegal | None:
        unit, fault = self.record.kind.read_round(value, len(self.record.seats), VALUE)
        if unit is None or fault is not None:
            return fault
        return self._settle(unit, VALUE)

    def _settle(self, unit: Any, path: str) -> Illegal | None:
        """Play one more round, or return its fault and leave the game unchanged."""
        kind = self.record.kind
        moves = self.moves + kind.moves(unit)
        fault = (
            too_many_rounds(self.closed + 1, path)
            or too_many_moves(moves, path)
            or kind.note_mismatch(self.game, self.notes, unit, path)
        )
        if fault is not None:
            return fault

        before = LastRound(kind.state(self.game), self.notes, self.moves)
        # A round is closed only once it has its end, so it isn't settled as the last one.
        is_last = False
        result = kind.settle(self.game, unit, path, is_last)
        if isinstance(result, Illegal):
            self._restore(before)
            return result

        self.rounds.append(unit)
        self.closed += 1
        self.moves = moves
        self.notes = []
        self.last_round = before
        return None

    def _restore(self, before: LastRound) -> None:
        self.game = self.record.kind.game_of_state(self.record.rules, before.game)
        self.notes = before.notes
        self.moves = before.moves

    def _undo(self, value: dict[str, Any]) -> Illegal | None:
        members(value, VALUE, (), ())
        if self.notes:
            self.notes = self.notes[:-1]
            return None
        if self.last_round is None:
            return Illegal(
                "nothing_to_undo",
                say("there is nothing left to undo: amend an earlier round instead"),
            )
        self._restore(self.last_round)
        self.last_round = None
        self.closed -= 1
        del self.rounds[-1:]
        return None

    def _amend(self, value: dict[str, Any]) -> Illegal | None:
        """Replace a round, and play it and all later rounds again; return the first fault."""
        self._refuse_if_resumed()
        parts = members(value, VALUE, ("number", "reason", "round"), ())
        one_of(parts["reason"], join(VALUE, "reason"), AMENDS)
        number = whole(parts["number"], join(VALUE, "number"))
        fault = self._number_fault(number)
        if fault is not None:
            return fault

        path = join(VALUE, "round")
        unit, fault = self.record.kind.read_round(parts["round"], len(self.record.seats), path)
        if unit is None or fault is not None:
            return fault

        amended = begin(self.record)
        rounds = [*self.rounds[: number - 1], unit, *self.rounds[number:]]
        for place, played in enumerate(rounds, 1):
            fault = amended._settle(played, path)
            if fault is not None:
                return fault if place == number else _later_round_fault(place, fault)
        for note in self.notes:
            fault = amended.apply(SheetEntry("note", note))
            if fault is not None:
                return _later_round_fault(self.closed + 1, fault)

        self.game = amended.game
        self.rounds = amended.rounds
        self.moves = amended.moves
        self.notes = amended.notes
        self.last_round = amended.last_round
        return None

    def _number_fault(self, number: int) -> Illegal | None:
        """Return why the round with this number can't be amended; None if it can."""
        if number not in range(1, self.closed + 1):
            return Illegal(
                "no_such_round",
                say(
                    "there is no closed round {number}: {rounds} rounds are closed",
                    rounds=self.closed,
                    number=number,
                ),
                path=join(VALUE, "number"),
            )
        if number <= (self.fixed or 0):
            return Illegal(
                "taken_over",
                say(
                    "round {number} stays as it was sealed: the game is played again after it",
                    number=number,
                ),
                path=join(VALUE, "number"),
            )
        return None

    def _take_over(self, value: dict[str, Any]) -> Illegal | None:
        """Fix all rounds so far: they belong to a sealed game that is replayed from here."""
        parts = members(value, VALUE, ("game",), ())
        text(parts["game"], join(VALUE, "game"))
        self.fixed = self.closed
        self.last_round = None
        return None

    def _refuse_if_resumed(self) -> None:
        if len(self.rounds) < self.closed:
            raise ValueError("this sheet was resumed from its state: fold all its entries")


def _later_round_fault(number: int, fault: Illegal) -> Illegal:
    return Illegal(
        "later_rounds",
        say("then round {number} no longer fits: {fault}", number=number, fault=fault.message),
        path=join(VALUE, "round"),
    )


def begin(record: Record) -> OpenSheet:
    """Return an empty sheet for a record that has only its header."""
    return OpenSheet(record, record.start())


def resume(record: Record, state: dict[str, Any]) -> OpenSheet:
    """Return the sheet that `OpenSheet.state` described, in a time that doesn't grow with the
    game."""
    record = replace(record, opener=state["opener"])
    before = state["last_round"]
    return OpenSheet(
        record=record,
        game=record.kind.game_of_state(record.rules, state["game"]),
        closed=state["closed"],
        moves=state["moves"],
        rounds=[],
        notes=state["notes"],
        last_round=None if before is None else LastRound(**before),
        fixed=state.get("fixed"),
        call=state.get("call"),
    )


def fold(record: Record, entries: Iterable[SheetEntry]) -> OpenSheet:
    """Return the sheet after these accepted entries. Raise ValueError for one with a fault."""
    sheet = begin(record)
    for number, entry in enumerate(entries):
        wrong = sheet.apply(entry)
        if wrong is not None:
            raise ValueError(f"entry {number}: {wrong.message}")
    return sheet
