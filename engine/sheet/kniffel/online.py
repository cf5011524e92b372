"""The sheet of a game of Lügen-Kniffel that the service deals.

It holds what everybody at the table knows: how often the roller has rolled, what was announced, who
has answered. Which dice stay, and what a seat answers, are hidden parts of acts
(`engine.sheet.entry.HiddenActs`). Rulings K11 (K), K16."""

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
    """A turn that was closed: its number from 1, the state of the table before it, and the turn as
    a record has it."""

    number: int
    before: dict[str, Any]
    turn: dict[str, Any]


@dataclass(slots=True)
class KniffelSheet(DealtSheet):
    """A mutable sheet of Lügen-Kniffel at an online table.

    `rolls`: how often the roller has rolled in this turn. `answered`: the seats that have answered,
    in their order. `silent`: those whose time was up, so that they believe.

    `left`: the seats that left in this turn, in their order. They take no further part, and the
    record tells it once the turn is closed, or at once if it is dropped: when the roller left, or
    only one seat is left. A game that ends with the turn knows them as seats that stayed: they had
    all their turns. Ruling K15.

    `last`: the turn that was closed or void last, None before the first. A seat that left doesn't
    replace it."""

    rolls: int = 0
    answered: tuple[int, ...] = ()
    silent: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    last: ClosedTurn | None = None

    @property
    def roller(self) -> int | None:
        """The seat whose turn it is; None once the game is over."""
        roller: int | None = self.game.roller
        return roller

    @property
    def announcement(self) -> Announcement | None:
        """All that the roller said in this turn; None before."""
        if not self.sheet.notes:
            return None
        announcement = parse_announcement(self.sheet.notes[-1]["say"])
        assert not isinstance(announcement, Illegal)
        return announcement

    @property
    def staying(self) -> tuple[int, ...]:
        """The seats that take part, in seat order."""
        return tuple([seat for seat in self.game.playing if seat not in self.left])

    @property
    def listeners(self) -> tuple[int, ...]:
        """The seats that are asked, or will be once the roller has announced. Ruling K16."""
        return tuple([seat for seat in self.staying if seat != self.roller])

    @property
    def leavers_are_due(self) -> bool:
        """True if the record tells now who left: no turn is going on, or the one that was is
        dropped. Ruling K15."""
        if not self.left:
            return False
        return not self.rolls or self.roller in self.left or len(self.staying) == 1

    @property
    def waits_for_dealer(self) -> bool:
        """True if all have answered, or seats that left are to be told."""
        if self.over:
            return False
        return self.leavers_are_due or (self.announcement is not None and not self._unanswered)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The roller; once something is announced, those who haven't answered. Rulings K11 (K),
        K16."""
        if self.roller is None or self.waits_for_dealer:
            return ()
        return self._unanswered if self.asks_all else (self.roller,)

    @property
    def asks_all(self) -> bool:
        """True once something is announced. Ruling K16."""
        return self.announcement is not None

    @property
    def forced_act(self) -> SheetEntry | None:
        """The first roll of a turn, in which all dice roll. Ruling K11 (K)."""
        if self.roller is None or self.rolls or self.waits_for_dealer:
            return None
        return SheetEntry("roll", {"seat": self.roller, "keep": []})

    @property
    def _unanswered(self) -> tuple[int, ...]:
        heard = {*self.answered, *self.silent}
        return tuple([seat for seat in self.listeners if seat not in heard])

    def state(self) -> dict[str, Any]:
        """All that `resume` needs, as a JSON object."""
        return self.sheet.state() | {
            "rolls": self.rolls,
            "answered": list(self.answered),
            "silent": list(self.silent),
            "left": list(self.left),
            "last": self.last and self.last._asdict(),
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
        """Roll for the first time, or again what doesn't stay. Ruling K11 (K)."""
        self._check_roller(members(value, VALUE, ("seat",), ())["seat"])
        if self.rolls == ROLLS[-1]:
            return Illegal(
                "no_roll_left", say("a turn has no more than three rolls: announce something")
            )
        self.rolls += 1
        return None

    def _announce(self, value: dict[str, Any]) -> Illegal | None:
        """Announce a combination and its points. Rulings K2, K5 (K)."""
        parts = members(value, VALUE, ("seat", "say"), ())
        self._check_roller(parts["seat"])
        if not self.rolls:
            return Illegal("roll_first", say("the dice weren't rolled yet: roll them first"))
        return self.sheet.apply(SheetEntry("note", {"seat": parts["seat"], "say": parts["say"]}))

    def _answer(self, value: dict[str, Any]) -> Illegal | None:
        """Believe or doubt: which of both is told when the turn is closed. Ruling K16."""
        parts = members(value, VALUE, ("seat", "turn"), ())
        if whole(parts["turn"], join(VALUE, "turn")) != self.closed:
            return Illegal("turn_over", say("this turn is over: look at the table as it is now"))
        seat = self._seat(parts["seat"])
        self._check_asked(seat)
        self.answered = (*self.answered, seat)
        return None

    def _leave(self, value: dict[str, Any]) -> Illegal | None:
        """Take no further part. Ruling K15."""
        seat = self._seat(members(value, VALUE, ("seat",), ())["seat"])
        self._check_open()
        if seat not in self.staying:
            return Illegal(
                "wrong_seat", say("seat {seat} is already out and can't forfeit", seat=seat)
            )
        self.left = (*self.left, seat)
        return None

    def _timeout(self, value: dict[str, Any]) -> Illegal | None:
        """Leave, as the roller; believe, as one who is asked. Rulings K15, K16."""
        seat = self._seat(members(value, VALUE, ("seat",), ())["seat"])
        if not self.asks_all:
            self._check_roller(seat)
            return self._leave(value)
        self._check_asked(seat)
        self.silent = (*self.silent, seat)
        return None

    def _check_asked(self, seat: int) -> None:
        self._check_open()
        if seat in (*self.answered, *self.silent):
            raise Refused(Illegal("answered", say("seat {seat} has answered already", seat=seat)))
        if not self.asks_all or seat not in self.listeners:
            raise Refused(Illegal("not_your_turn", say("nobody asks seat {seat} now", seat=seat)))

    def _check_roller(self, seat: Any) -> None:
        self._check_open()
        if self._seat(seat) != self.roller:
            raise Refused(
                Illegal("not_your_turn", say("it is the turn of seat {seat}", seat=self.roller))
            )
        if self.asks_all:
            raise Refused(Illegal("not_your_turn", say("it was announced: now the others answer")))

    def leaving(self) -> TurnRecord:
        """Return what a record tells of the seat that left first; a turn that was its own is void.
        Ruling K15."""
        seat = self.left[0]
        return TurnRecord(None, forfeit=(seat,), void=seat == self.roller and self.rolls > 0)

    def _is_of_this_round(self, played: TurnRecord) -> bool:
        if self.leavers_are_due:
            return played == self.leaving()
        rolls = self.rolls if played.doubters else 0
        unknown = TurnRecord(self.announcement, played.doubters, played.rolls, played.dice)
        could_doubt = set(self.answered).intersection(self.listeners)
        return (
            played == unknown
            and could_doubt.issuperset(played.doubters)
            and len(played.rolls) == rolls
            and (played.dice is None) == (not rolls)
        )

    def _begin_next(self, played: TurnRecord) -> None:
        """Forget who left once the record tells it, and the turn once it is closed or dropped."""
        before = self.sheet.last_round
        assert before is not None, "a turn was closed just now"
        self.sheet.last_round = None
        if played.void or not played.forfeit:
            self.last = ClosedTurn(self.closed, before.game, turn_json(played))
        if played.forfeit:
            self.left = self.left[1:]
            if self.left:
                return
        self.rolls = 0
        self.answered = ()
        self.silent = ()
        if self.over:
            self.left = ()


def begin(record: Record) -> KniffelSheet:
    """Return a sheet without entries, of a record that has its header alone."""
    return KniffelSheet(written.begin(record))


def resume(record: Record, state: dict[str, Any]) -> KniffelSheet:
    """Return the sheet of which `KniffelSheet.state` told; its cost doesn't depend on how long the
    game is."""
    return KniffelSheet(
        written.resume(record, state),
        state["rolls"],
        tuple(state["answered"]),
        tuple(state["silent"]),
        tuple(state["left"]),
        state["last"] and ClosedTurn(**state["last"]),
    )
