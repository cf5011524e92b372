"""A sheet of a game that the service deals, with all that is the same in every game: each seat acts
for itself, and the dealer closes the rounds.

A round is closed by the same function as one that is written down at a real table, so the game that
is sealed in the end is the one that an import of its record would give. Nothing is taken back here.
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
NOT_ONLINE: Final = Illegal("bad_record", say("this act isn't one of an online table"), path="act")
ActOf: TypeAlias = Callable[[dict[str, Any]], Illegal | None]


@dataclass(slots=True)
class DealtSheet(ABC):
    """A mutable sheet of an online table. `sheet`: the rounds that are over, and what was said in
    the one that is played."""

    sheet: written.OpenSheet

    @property
    def record(self) -> Record:
        """The header of the game, with the seat that opens."""
        return self.sheet.record

    @property
    def game(self) -> Any:
        """The table between two rounds."""
        return self.sheet.game

    @property
    def over(self) -> bool:
        """True if the game has come to its end."""
        return self.sheet.over

    @property
    def call(self) -> int | None:
        """The round in which the table called the arbiter, from 1; None while no call is open."""
        return self.sheet.call

    @property
    def closed(self) -> int:
        """The number of rounds that are closed, so also that of the round that is played, counted
        from 0."""
        return self.sheet.closed

    @property
    @abstractmethod
    def waits_for_dealer(self) -> bool:
        """True if the dealer closes a round now, and nobody acts before."""

    @property
    @abstractmethod
    def to_act(self) -> tuple[int, ...]:
        """The seats for which the table waits."""

    @property
    @abstractmethod
    def staying(self) -> tuple[int, ...]:
        """The seats that take part, in seat order."""

    @property
    @abstractmethod
    def asks_all(self) -> bool:
        """True if several seats were asked at the same moment, so that one time counts for all of
        them."""

    @property
    def forced_act(self) -> SheetEntry | None:
        """The act of the seat to act if there is no other, apart from leaving. None: it has a
        choice."""
        return None

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """All that is needed to go on, as a JSON object."""

    @property
    @abstractmethod
    def _acts(self) -> Mapping[str, ActOf]:
        """The acts of the game, beside `reveal`, by name."""

    @abstractmethod
    def _is_of_this_round(self, played: Any) -> bool:
        """True if a round tells what everybody at the table knows of the one that is closed now."""

    @abstractmethod
    def _begin_next(self, played: Any) -> None:
        """Forget what belonged to the round that was closed."""

    def apply(self, entry: SheetEntry) -> Illegal | None:
        """Let one more entry stand; one that can't is returned as its fault, and changes nothing.

        Codes: those of the game's acts and of a record's round; `game_over`, `cups_up` (nobody acts
        until the dealer has closed the round), `not_your_turn`, `wrong_seat`, `reveal_mismatch`;
        for a call or a ruling those of `engine.sheet.call.apply_aside`."""
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
        """Return the record of the game by all rounds. ValueError for a sheet that was resumed."""
        return self.sheet.whole()

    def _reveal(self, value: dict[str, Any]) -> Illegal | None:
        """Close the round by what the dealer tells of it, and the link that proves its dice."""
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
            raise Refused(Illegal("cups_up", say("the cups go up: the dice are revealed first")))

    def _seat(self, seat: Any) -> int:
        return whole(seat, join(VALUE, "seat"), range(len(self.record.seats)))
