"""The sheet of an online table: each seat acts for itself, and the dealer closes rounds.

A round is closed by the same function as a round written down at a real table. So the game that is
sealed in the end equals the game that an import of its record gives. Online acts can't be undone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.record import Record
from engine.record.shape import join, members, whole
from engine.sheet import sheet as written
from engine.sheet.entry import ASIDES, SheetEntry

VALUE: Final = written.VALUE
NOT_ONLINE: Final = Illegal("bad_record", say("an online table has no such act"), path="act")
ActOf: TypeAlias = Callable[[dict[str, Any]], Illegal | None]


@dataclass(slots=True)
class DealtSheet(ABC):
    """A mutable sheet of an online table; each game has a class of its own.

    `sheet` holds the closed rounds, and the bids or announcements of the current one.
    """

    sheet: written.OpenSheet

    @property
    def record(self) -> Record:
        """Return the header of the game, with the seat that opens."""
        return self.sheet.record

    @property
    def game(self) -> Any:
        """Return the table between two rounds."""
        return self.sheet.game

    @property
    def over(self) -> bool:
        """Return True if the game is over."""
        return self.sheet.over

    @property
    def call(self) -> int | None:
        """Return the round, from 1, of the open call for the arbiter; None without one."""
        return self.sheet.call

    @property
    def closed(self) -> int:
        """Return the number of closed rounds, which is also the current round counted from 0."""
        return self.sheet.closed

    @property
    @abstractmethod
    def waits_for_dealer(self) -> bool:
        """Return True if the dealer has to close a round before anybody can act."""

    @property
    @abstractmethod
    def to_act(self) -> tuple[int, ...]:
        """Return the seats that the table waits for."""

    @property
    @abstractmethod
    def staying(self) -> tuple[int, ...]:
        """Return the seats that still take part, in seat order."""

    @property
    @abstractmethod
    def asks_all(self) -> bool:
        """Return True if several seats were asked at the same moment, so that one clock counts for
        all of them."""

    @property
    def forced_act(self) -> SheetEntry | None:
        """Return the only act that the seat to act can make, apart from leaving; None if it has a
        choice."""
        return None

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Return everything `resume` needs, as a JSON object."""

    @property
    @abstractmethod
    def _acts(self) -> Mapping[str, ActOf]:
        """Return the acts of the game, apart from `reveal`, by name."""

    @abstractmethod
    def _is_of_this_round(self, played: Any) -> bool:
        """Return True if a round matches what everybody at the table knows of the current one."""

    @abstractmethod
    def _begin_next(self, played: Any) -> None:
        """Reset what belonged to the closed round."""

    def apply(self, entry: SheetEntry) -> Illegal | None:
        """Add an entry to the sheet, or return its fault and change nothing.

        Codes: those of the game's acts and of a record's round; `game_over`, `cups_up` (nobody acts
        until the dealer has closed the round), `not_your_turn`, `wrong_seat`, `reveal_mismatch`;
        for a call or a ruling those of `engine.sheet.call.apply_aside`.
        """
        if entry.act in ASIDES:
            return self.sheet.apply(entry)
        acts = {**self._acts, "reveal": self._reveal}
        if entry.act not in acts:
            return NOT_ONLINE
        if self.over:
            return self.record.kind.game_over
        try:
            return acts[entry.act](entry.value)
        except Refused as refused:
            return refused.illegal

    def whole(self) -> Record:
        """Return the record of the game with all its rounds. Raise ValueError for a resumed
        sheet."""
        return self.sheet.whole()

    def _reveal(self, value: dict[str, Any]) -> Illegal | None:
        parts = members(value, VALUE, ("round", "link"), ())
        path = join(VALUE, "round")
        kind = self.record.kind
        played, fault = kind.read_round(parts["round"], len(self.record.seats), path)
        if played is None or fault is not None:
            return fault
        if not self.waits_for_dealer or not self._is_of_this_round(played):
            return Illegal(
                "reveal_mismatch", say("this isn't the round that was played"), path=path
            )
        wrong = self.sheet.apply(SheetEntry("close", kind.round_json(played)))
        if wrong is None:
            self._begin_next(played)
        return wrong

    def _check_open(self) -> None:
        if self.waits_for_dealer:
            raise Refused(
                Illegal("cups_up", say("the cups are up: the dice have to be revealed first"))
            )

    def _seat(self, seat: Any) -> int:
        return whole(seat, join(VALUE, "seat"), range(len(self.record.seats)))
