"""A game of Lügen-Kniffel as the API tells it to one viewer."""

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
    """A seat with its score sheet, which lies open to everybody."""

    now: KniffelSeatNow
    sheet: Sheet

    @property
    def open(self) -> list[str]:
        """The combinations that it can still announce."""
        return open_combinations(self.sheet)

    @property
    def points(self) -> Mapping[str, int]:
        """The points that are noted, by combination."""
        return {
            name: field.points for name, field in self.sheet.items() if field.points is not None
        }

    @property
    def strikes(self) -> Mapping[str, int]:
        """The strikes for lies and wrong doubts, by combination, where there are any. Ruling K9
        (K)."""
        return {name: field.strikes for name, field in self.sheet.items() if field.strikes}


class OwnDice(NamedTuple):
    """The dice of the roller. `rolled`: those rolled last; a die that stays is named by its place
    in them. `staying`: those under earlier cups. Ruling K11 (K)."""

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
        """The seats for which the table waits."""
        return [seat.number for seat in self.now.awaited]

    @property
    def announcement(self) -> str | None:
        """What was announced in this turn, as an entry has it; None before."""
        return None if self.now.announcement is None else announcement_text(self.now.announcement)

    @property
    def dice(self) -> OwnDice | None:
        """The viewer's own dice; None for everybody but the roller, and before the first roll."""
        return None if self.now.dealt is None else OwnDice(self.now.fresh, self.now.locked)

    @property
    def legal(self) -> list[str]:
        """All that the viewer can announce now; empty unless the viewer announces."""
        return [option.value for group in self.now.groups for option in group.options]

    @property
    def true(self) -> list[str]:
        """Those of them that the viewer's own dice score."""
        return [option.value for option in self.now.truths]


def kniffel_seen(read: GameRead) -> KniffelSeen:
    """Return what the viewer sees for whom the game was read."""
    now = kniffel_now(read.sheet, read.names, read.seat, read.cup, None)
    seats = [KniffelSeatSeen(seat, read.sheet.game.sheets[seat.number]) for seat in now.seats]
    return KniffelSeen(now, seats, read.sheet.closed, read.length, read.deadline)
