"""A game of Lügen-Kniffel as the API shows it to one viewer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from engine.kniffel.notation import announcement_text
from engine.kniffel.sheet import Sheet
from league.play.online_table.domain.kniffel import (
    KniffelSeatNow,
    KniffelTableNow,
    kniffel_now,
    open_combinations,
)
from league.play.program.domain.table import GameRead


class KniffelSeatSeen(NamedTuple):
    """A seat with its score sheet, which everybody may see."""

    now: KniffelSeatNow
    sheet: Sheet

    @property
    def open(self) -> list[str]:
        """Return the combinations that the seat can still announce."""
        return open_combinations(self.sheet)

    @property
    def points(self) -> Mapping[str, int]:
        """Return the noted points by combination."""
        return {
            name: field.points for name, field in self.sheet.items() if field.points is not None
        }

    @property
    def strikes(self) -> Mapping[str, int]:
        """Return the strikes for lies and wrong doubts by combination, leaving out zeros. Ruling K9
        (K).
        """
        return {name: field.strikes for name, field in self.sheet.items() if field.strikes}


class OwnDice(NamedTuple):
    """The dice of the roller. `rolled`: the dice rolled last, of which those to keep are named by
    their places. `staying`: the dice under earlier cups. Ruling K11 (K).
    """

    rolled: str
    staying: str


class KniffelSeen(NamedTuple):
    """A game of Lügen-Kniffel as one viewer sees it. `length` and `deadline`: see `GameRead`."""

    now: KniffelTableNow
    seats: Sequence[KniffelSeatSeen]
    turn: int
    length: int
    deadline: datetime | None

    @property
    def to_act(self) -> list[int]:
        """Return the seats for which the table waits."""
        return [seat.number for seat in self.now.awaited]

    @property
    def announcement(self) -> str | None:
        """Return the announcement of this turn as an entry writes it, None before."""
        return None if self.now.announcement is None else announcement_text(self.now.announcement)

    @property
    def dice(self) -> OwnDice | None:
        """Return the viewer's own dice; None unless the viewer is the roller, and before the first
        roll.
        """
        return None if self.now.dealt is None else OwnDice(self.now.fresh, self.now.locked)

    @property
    def legal(self) -> list[str]:
        """Return all announcements that the viewer can make now; empty unless the viewer is to
        announce.
        """
        announcements: list[str] = []
        for group in self.now.groups:
            announcements += [option.value for option in group.options]
        return announcements

    @property
    def true(self) -> list[str]:
        """Return the announcements that are true of the viewer's dice."""
        return [option.value for option in self.now.truths]


def kniffel_seen(read: GameRead) -> KniffelSeen:
    """Return the game as its viewer sees it."""
    now = kniffel_now(read.sheet, read.names, read.seat, read.cup, last=None)
    seats = [KniffelSeatSeen(seat, read.sheet.game.sheets[seat.number]) for seat in now.seats]
    return KniffelSeen(now, seats, read.sheet.closed, read.length, read.deadline)
