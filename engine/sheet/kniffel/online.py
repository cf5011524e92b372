"""The sheet of a game of Lügen-Kniffel that the service deals.

It holds what everybody at the table knows: the number of rolls, the announcement, and the seats
that have answered. Kept dice and answers are the hidden parts of acts
(`engine.sheet.entry.HiddenActs`): by Ruling K11 the roller's dice are secret, by Ruling K16 nobody
sees another's answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.illegal import Illegal, Refused
from engine.kniffel.combinations import Announcement
from engine.kniffel.notation import parse_announcement
from engine.kniffel.rolls import ROLLS
from engine.messages import say
from engine.record.kniffel.turn import TurnRecord, turn_json
from engine.record.record import Record
from engine.record.shape import join, members, whole
from engine.sheet import sheet as written
from engine.sheet.dealt import VALUE, ActOf, DealtSheet
from engine.sheet.entry import SheetEntry


class ClosedTurn(NamedTuple):
    """A closed turn.

    `number` counts from 1; `before` is the state of the table before it, and `turn` the turn in the
    format of a record.
    """

    number: int
    before: dict[str, Any]
    turn: dict[str, Any]


@dataclass(slots=True)
class KniffelSheet(DealtSheet):
    """A mutable sheet of Lügen-Kniffel at an online table.

    `rolls` is the number of rolls in this turn. `answered` are the seats that have answered, in
    order; `silent` are the seats whose time to answer was up, so that they believe.

    `left` are the seats that left in this turn, in order. They take no further part. The record
    names them once the turn is closed, or at once if it is dropped because the roller left or only
    one seat remains. If the game ends with this turn, they count as seats that stayed: they had all
    their turns (Ruling K15).

    `last` is the last turn that was closed or void, None before the first. A seat that leaves
    doesn't replace it.
    """

    rolls: int = 0
    answered: tuple[int, ...] = ()
    silent: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    last: ClosedTurn | None = None

    @property
    def roller(self) -> int | None:
        """Return the seat whose turn it is; None once the game is over."""
        roller: int | None = self.game.roller
        return roller

    @property
    def announcement(self) -> Announcement | None:
        """Return the roller's announcement of this turn; None before it."""
        if not self.sheet.notes:
            return None
        announcement = parse_announcement(self.sheet.notes[-1]["say"])
        assert not isinstance(announcement, Illegal)
        return announcement

    @property
    def staying(self) -> tuple[int, ...]:
        """Return the seats that still take part, in seat order."""
        return tuple([seat for seat in self.game.playing if seat not in self.left])

    @property
    def listeners(self) -> tuple[int, ...]:
        """Return the seats that are asked whether they doubt: all that stay but the roller (Ruling
        K16)."""
        return tuple([seat for seat in self.staying if seat != self.roller])

    @property
    def leavers_are_due(self) -> bool:
        """Return True if the record has to name a seat that left before anything else happens.

        That is so if no turn is in progress, or if the turn is dropped because its roller left or
        only one seat stays.
        """
        if not self.left:
            return False
        return not self.rolls or self.roller in self.left or len(self.staying) == 1

    @property
    def waits_for_dealer(self) -> bool:
        """Return True if all have answered, or the record has to name seats that left."""
        if self.over:
            return False
        return self.leavers_are_due or (self.announcement is not None and not self._unanswered)

    @property
    def to_act(self) -> tuple[int, ...]:
        """Return the roller; after an announcement the seats that haven't answered."""
        if self.roller is None or self.waits_for_dealer:
            return ()
        if self.asks_all:
            return self._unanswered
        return (self.roller,)

    @property
    def asks_all(self) -> bool:
        """Return True after an announcement, when all others answer at once (Ruling K16)."""
        return self.announcement is not None

    @property
    def forced_act(self) -> SheetEntry | None:
        """Return the first roll of a turn, in which all dice roll; None after it."""
        if self.roller is None or self.rolls or self.waits_for_dealer:
            return None
        return SheetEntry("roll", {"seat": self.roller, "keep": []})

    @property
    def _unanswered(self) -> tuple[int, ...]:
        heard = {*self.answered, *self.silent}
        return tuple([seat for seat in self.listeners if seat not in heard])

    def state(self) -> dict[str, Any]:
        """Return everything `resume` needs, as a JSON object."""
        last = None if self.last is None else self.last._asdict()
        return self.sheet.state() | {
            "rolls": self.rolls,
            "answered": list(self.answered),
            "silent": list(self.silent),
            "left": list(self.left),
            "last": last,
        }

    @property
    def _acts(self) -> Mapping[str, ActOf]:
        return {
            "roll": self._roll,
            "announce": self._announce,
            "answer": self._answer,
            "leave": self._leave,
            "timeout": self._timeout,
        }

    def _roll(self, value: dict[str, Any]) -> Illegal | None:
        parts = members(value, VALUE, ("seat",), ())
        self._check_roller(parts["seat"])
        if self.rolls == ROLLS[-1]:
            return Illegal(
                "no_roll_left", say("a turn has at most three rolls: announce something")
            )
        self.rolls += 1
        return None

    def _announce(self, value: dict[str, Any]) -> Illegal | None:
        parts = members(value, VALUE, ("seat", "say"), ())
        self._check_roller(parts["seat"])
        if not self.rolls:
            return Illegal("roll_first", say("the dice haven't been rolled yet: roll them first"))
        return self.sheet.apply(SheetEntry("note", {"seat": parts["seat"], "say": parts["say"]}))

    def _answer(self, value: dict[str, Any]) -> Illegal | None:
        """Note that a seat has answered. What it answered stays hidden until the turn is closed
        (Ruling K16)."""
        parts = members(value, VALUE, ("seat", "turn"), ())
        if whole(parts["turn"], join(VALUE, "turn")) != self.closed:
            return Illegal("turn_over", say("this turn is over: look at the table as it is now"))
        seat = self._seat(parts["seat"])
        self._check_asked(seat)
        self.answered = (*self.answered, seat)
        return None

    def _leave(self, value: dict[str, Any]) -> Illegal | None:
        """Let a seat leave; it takes no further part (Ruling K15)."""
        parts = members(value, VALUE, ("seat",), ())
        seat = self._seat(parts["seat"])
        self._check_open()
        if seat not in self.staying:
            return Illegal(
                "wrong_seat", say("seat {seat} is already out and can't forfeit", seat=seat)
            )
        self.left = (*self.left, seat)
        return None

    def _timeout(self, value: dict[str, Any]) -> Illegal | None:
        """Act for a seat whose time is up: the roller leaves (Ruling K15), a seat that was asked
        believes (Ruling K16)."""
        parts = members(value, VALUE, ("seat",), ())
        seat = self._seat(parts["seat"])
        if not self.asks_all:
            self._check_roller(seat)
            return self._leave(value)
        self._check_asked(seat)
        self.silent = (*self.silent, seat)
        return None

    def _check_asked(self, seat: int) -> None:
        self._check_open()
        if seat in (*self.answered, *self.silent):
            raise Refused(Illegal("answered", say("seat {seat} has already answered", seat=seat)))
        if not self.asks_all or seat not in self.listeners:
            raise Refused(
                Illegal("not_your_turn", say("seat {seat} isn't being asked now", seat=seat))
            )

    def _check_roller(self, seat: Any) -> None:
        self._check_open()
        if self._seat(seat) != self.roller:
            raise Refused(
                Illegal("not_your_turn", say("it is seat {seat}'s turn", seat=self.roller))
            )
        if self.asks_all:
            raise Refused(
                Illegal(
                    "not_your_turn", say("the announcement has been made: now the others answer")
                )
            )

    def leaving(self) -> TurnRecord:
        """Return the entry of the record for the first seat that left.

        If that seat is the roller and has rolled, its turn is void (Ruling K15)."""
        seat = self.left[0]
        is_in_its_turn = seat == self.roller and self.rolls > 0
        return TurnRecord(None, forfeit=(seat,), void=is_in_its_turn)

    def _is_of_this_round(self, played: TurnRecord) -> bool:
        """Return True if a turn of the record agrees with what the table knows of this turn."""
        if self.leavers_are_due:
            return played == self.leaving()
        # Doubters, rolls and dice were hidden until now; all else must be as the table knows it.
        as_known = TurnRecord(self.announcement, played.doubters, played.rolls, played.dice)
        if played != as_known:
            return False
        could_doubt = set(self.answered).intersection(self.listeners)
        if not could_doubt.issuperset(played.doubters):
            return False
        rolls_shown = self.rolls if played.doubters else 0
        dice_shown = played.dice is not None
        return len(played.rolls) == rolls_shown and dice_shown == (rolls_shown > 0)

    def _begin_next(self, played: TurnRecord) -> None:
        """Store a closed turn as the last one, and begin the next turn.

        `played` may also be an entry that names a seat that left. Then it is stored only if it made
        the roller's turn void; and while the record has to name further seats, nothing begins."""
        before = self.sheet.last_round
        assert before is not None, "a turn was closed just now"
        self.sheet.last_round = None
        is_turn = not played.forfeit
        if is_turn or played.void:
            self.last = ClosedTurn(self.closed, before.game, turn_json(played))
        if not is_turn:
            # Each seat that left has an entry of its own; `played` names the first of them.
            self.left = self.left[1:]
            if self.left:
                return
        self.rolls = 0
        self.answered = ()
        self.silent = ()
        if self.over:
            self.left = ()


def begin(record: Record) -> KniffelSheet:
    """Return an empty sheet for a record that has only its header."""
    return KniffelSheet(written.begin(record))


def resume(record: Record, state: dict[str, Any]) -> KniffelSheet:
    """Return the sheet that `KniffelSheet.state` described, in a time that doesn't grow with the
    game."""
    last = state["last"]
    return KniffelSheet(
        sheet=written.resume(record, state),
        rolls=state["rolls"],
        answered=tuple(state["answered"]),
        silent=tuple(state["silent"]),
        left=tuple(state["left"]),
        last=None if last is None else ClosedTurn(**last),
    )
