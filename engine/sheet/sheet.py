"""The fold of a sheet: what a table has come to by its entries, the same for a phone that writes,
for who watches, and for the game that is sealed in the end. It knows all games and all levels of
detail, by the kind of the record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.kind import Ending
from engine.record.length import too_many_moves, too_many_rounds
from engine.record.record import Record
from engine.record.shape import join, members, one_of, text, whole
from engine.sheet.call import apply_aside
from engine.sheet.entry import ACTS, ASIDES, TAKE_OVER, SheetEntry

VALUE: Final = "value"
"""The path of what an entry tells, in its faults."""
AMENDS: Final = {
    reason: reason for reason in ("miscounted", "misheard", "mistyped", "wrong_seat", "time_up")
}
"""Codes for why a round is amended: no free text stands in an entry."""


@dataclass(frozen=True, slots=True)
class LastRound:
    """The table as it stood before the round that was closed last: its game's state, what was noted
    by then, and how many moves all rounds before it have."""

    game: dict[str, Any]
    notes: list[dict[str, Any]]
    moves: int

    def as_json(self) -> dict[str, Any]:
        """The table as a JSON object."""
        return {"game": self.game, "notes": self.notes, "moves": self.moves}


@dataclass(slots=True)
class OpenSheet:
    """A mutable sheet. `record`: the header of the game, without rounds. `game`: the table between
    two rounds.

    `closed`: how many rounds are closed, with so many `moves` in all; `rounds` holds those that
    were closed here. A sheet that was resumed from its state has fewer, and takes no amendment.
    `notes`: what is noted of the round that is being played. `last_round`: what an undo of the last
    round brings back, None once something followed it. `fixed`: how many rounds were taken over
    from a sealed game and stay as they are; None for a game that isn't played again. `call`: the
    round in which the table called the arbiter, from 1; None while no call is open."""

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
        """True if the game has come to its end."""
        over: bool = self.game.over
        return over

    @property
    def last_begun(self) -> int:
        """The number, from 1, of the round that is being played, or of the last one once the game
        is over."""
        return self.closed if self.over else self.closed + 1

    @property
    def ending(self) -> Ending:
        """All that the game has come to by now."""
        return self.record.kind.ending(self.game)

    def state(self) -> dict[str, Any]:
        """All that `resume` needs, as a JSON object of a size that doesn't grow with the game. It
        tells `fixed` only where a game is played again, and a `call` only while one is open."""
        fixed = {} if self.fixed is None else {"fixed": self.fixed}
        call = {} if self.call is None else {"call": self.call}
        return call | {
            "opener": self.record.opener,
            "closed": self.closed,
            "moves": self.moves,
            "game": self.record.kind.state(self.game),
            "notes": self.notes,
            "last_round": self.last_round and self.last_round.as_json(),
            **fixed,
        }

    def apply(self, entry: SheetEntry) -> Illegal | None:
        """Let one more entry stand; one that can't is returned as its fault, and changes nothing.

        Codes: those of a record's round, with the path of the value's key; `game_over`,
        `round_begun` (the opener is told too late), `nothing_to_undo`, `note_mismatch`,
        `no_such_round`, `taken_over` (the round is one of a sealed game), `later_rounds` (a round
        behind the one that is amended doesn't fit any more), `too_many_rounds`; for a call or a
        ruling those of `engine.sheet.call.apply_aside`. ValueError for an amendment on a sheet that
        was resumed."""
        if entry.act not in ACTS and entry.act not in ASIDES and entry.act != TAKE_OVER:
            return Illegal(
                "bad_record",
                say("nobody writes this down: it is an act of an online table"),
                path="act",
            )
        try:
            if entry.act in ASIDES:
                self.call = apply_aside(self.record.kind, entry, self.call, self.last_begun)
                return None
            return getattr(self, f"_{entry.act}")(entry.value)  # type: ignore[no-any-return]
        except Refused as refused:
            return refused.illegal

    def whole(self) -> Record:
        """The record of the game by all rounds that stand. ValueError for a sheet that was
        resumed."""
        self._refuse_resumed()
        return replace(self.record, rounds=tuple(self.rounds))

    def _opener(self, value: dict[str, Any]) -> Illegal | None:
        """Learn by the roll before the game who opens it. Rulings B15 (R, S), K14 (K)."""
        seat = whole(
            members(value, VALUE, ("seat",), ())["seat"],
            join(VALUE, "seat"),
            range(len(self.record.seats)),
        )
        if self.closed or self.notes or self.fixed is not None:
            return Illegal(
                "round_begun", say("the game has begun: who opens is told before its first round")
            )
        self.record = replace(self.record, opener=seat)
        self.game = self.record.start()
        return None

    def _note(self, value: dict[str, Any]) -> Illegal | None:
        if self.over:
            return self.record.kind.game_over
        self.notes = [*self.notes, self.record.kind.read_note(self.game, self.notes, value, VALUE)]
        self.last_round = None
        return None

    def _close(self, value: dict[str, Any]) -> Illegal | None:
        unit, fault = self.record.kind.read_round(value, len(self.record.seats), VALUE)
        if unit is None or fault is not None:
            return fault
        return self._settle(unit, VALUE)

    def _settle(self, unit: Any, path: str) -> Illegal | None:
        """Play one more round; its fault leaves the game as it was."""
        kind = self.record.kind
        moves = self.moves + kind.moves(unit)
        wrong = (
            too_many_rounds(self.closed + 1, path)
            or too_many_moves(moves, path)
            or kind.note_mismatch(self.game, self.notes, unit, path)
        )
        if wrong is not None:
            return wrong
        before = LastRound(kind.state(self.game), self.notes, self.moves)
        result = kind.settle(self.game, unit, path, False)
        if isinstance(result, Illegal):
            self._bring_back(before)
            return result
        self.rounds.append(unit)
        self.closed, self.moves = self.closed + 1, moves
        self.notes, self.last_round = [], before
        return None

    def _bring_back(self, before: LastRound) -> None:
        self.game = self.record.kind.game_of_state(self.record.rules, before.game)
        self.notes, self.moves = before.notes, before.moves

    def _undo(self, value: dict[str, Any]) -> Illegal | None:
        """Take back what was noted last, or else the last round, as long as nothing followed it."""
        members(value, VALUE, (), ())
        if self.notes:
            self.notes = self.notes[:-1]
            return None
        if self.last_round is None:
            return Illegal(
                "nothing_to_undo", say("nothing is left to be undone: an earlier round is amended")
            )
        self._bring_back(self.last_round)
        self.last_round = None
        self.closed -= 1
        del self.rounds[-1:]
        return None

    def _amend(self, value: dict[str, Any]) -> Illegal | None:
        """Let an earlier round be as it was, and settle anew all that follows."""
        self._refuse_resumed()
        parts = members(value, VALUE, ("number", "reason", "round"), ())
        one_of(parts["reason"], join(VALUE, "reason"), AMENDS)
        number = whole(parts["number"], join(VALUE, "number"))
        if number not in range(1, self.closed + 1):
            return Illegal(
                "no_such_round",
                say(
                    "{rounds} rounds are closed, and none is number {number}",
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
        unit, fault = self.record.kind.read_round(
            parts["round"], len(self.record.seats), path := join(VALUE, "round")
        )
        if unit is None or fault is not None:
            return fault
        amended = begin(self.record)
        for place, played in enumerate(
            [*self.rounds[: number - 1], unit, *self.rounds[number:]], 1
        ):
            wrong = amended._settle(played, path)
            if wrong is not None:
                return wrong if place == number else _later(place, wrong)
        for note in self.notes:
            wrong = amended.apply(SheetEntry("note", note))
            if wrong is not None:
                return _later(self.closed + 1, wrong)
        self.game, self.rounds, self.moves = amended.game, amended.rounds, amended.moves
        self.notes, self.last_round = amended.notes, amended.last_round
        return None

    def _take_over(self, value: dict[str, Any]) -> Illegal | None:
        """Let all rounds so far stay as they are: they are those of a sealed game, which is played
        again from here."""
        text(members(value, VALUE, ("game",), ())["game"], join(VALUE, "game"))
        self.fixed, self.last_round = self.closed, None
        return None

    def _refuse_resumed(self) -> None:
        if len(self.rounds) < self.closed:
            raise ValueError("this sheet was resumed from its state: fold all its entries")


def _later(number: int, wrong: Illegal) -> Illegal:
    return Illegal(
        "later_rounds",
        say(
            "then round {number} doesn't fit any more: {fault}", number=number, fault=wrong.message
        ),
        path=join(VALUE, "round"),
    )


def begin(record: Record) -> OpenSheet:
    """A sheet without entries, of a record that has its header alone."""
    return OpenSheet(record, record.start())


def resume(record: Record, state: dict[str, Any]) -> OpenSheet:
    """The sheet of which `OpenSheet.state` told; what it costs doesn't depend on how long the game
    is."""
    record = replace(record, opener=state["opener"])
    before = state["last_round"]
    return OpenSheet(
        record,
        record.kind.game_of_state(record.rules, state["game"]),
        state["closed"],
        state["moves"],
        [],
        state["notes"],
        None if before is None else LastRound(**before),
        state.get("fixed"),
        state.get("call"),
    )


def fold(record: Record, entries: Iterable[SheetEntry]) -> OpenSheet:
    """The sheet after entries that were all taken. ValueError for one that can't stand."""
    sheet = begin(record)
    for number, entry in enumerate(entries):
        wrong = sheet.apply(entry)
        if wrong is not None:
            raise ValueError(f"entry {number}: {wrong.message}")
    return sheet
