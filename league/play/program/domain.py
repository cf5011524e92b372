"""An online table as the API tells it to one viewer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from league.play.online_table.domain.bluff import OnlineTableNow
from league.play.online_table.models import OnlineSeat, OnlineTable

SEAT_KINDS: Final = ("person", "program", "automatic")


class GameSeen(NamedTuple):
    """A game in play as one viewer sees it. `length`: the entries of its sheet; `deadline`: when the time of the seat
    to act ends, None once the game is over."""

    now: OnlineTableNow
    length: int
    deadline: datetime | None

    @property
    def turn(self) -> int | None:
        """The seat to act; None once the game is over."""
        return None if self.now.over else self.now.turn

    @property
    def cup(self) -> str | None:
        """The dice under the viewer's own cup; None for a spectator."""
        return None if self.now.me is None else self.now.cup

    @property
    def legal(self) -> list[str]:
        """The bids that the viewer can make now, the lowest first; empty when somebody else acts."""
        fields = [*self.now.fields, *self.now.far]
        return [f"{field.count}x{face}" for field in fields for face in field.faces]


class SeatSeen(NamedTuple):
    """Somebody who sits at a table: a `kind` of SEAT_KINDS."""

    number: int
    name: str
    kind: str


class TableSeen(NamedTuple):
    """A table as one viewer sees it. `seat`: the viewer's own seat; `game`: None before the game begins."""

    table: OnlineTable
    seats: Sequence[SeatSeen]
    seat: int | None
    game: GameSeen | None


def seat_kind(seat: OnlineSeat) -> str:
    """Tell who sits there, as one of SEAT_KINDS; `automatic` is a player of the service."""
    if seat.automatic:
        return "automatic"
    return "program" if seat.is_program else "person"
