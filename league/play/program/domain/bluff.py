"""A game of Bluff as the API shows it to one viewer."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from league.play.online_table.domain.bluff import OnlineTableNow, table_now
from league.play.program.domain.table import GameRead


class BluffSeen(NamedTuple):
    """A game of Bluff as one viewer sees it. `length` and `deadline`: see `GameRead`."""

    now: OnlineTableNow
    length: int
    deadline: datetime | None

    @property
    def turn(self) -> int | None:
        """Return the seat to act, None once the game is over."""
        return None if self.now.over else self.now.turn

    @property
    def cup(self) -> str | None:
        """Return the dice under the viewer's own cup, None for a spectator."""
        return None if self.now.me is None else self.now.cup

    @property
    def legal(self) -> list[str]:
        """Return the bids that the viewer can make now, the lowest first; empty when another seat
        is to act."""
        bids: list[str] = []
        for field in [*self.now.fields, *self.now.far]:
            bids += [f"{field.count}x{face}" for face in field.faces]
        return bids


def bluff_seen(read: GameRead) -> BluffSeen:
    """Return the game as its viewer sees it."""
    cup = "" if read.seat is None else read.cup
    now = table_now(read.sheet, read.names, read.seat, cup)
    return BluffSeen(now, read.length, read.deadline)
