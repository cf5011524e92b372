"""An online table as it was read for one viewer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from league.play.online_table.models import OnlineSeat, OnlineTable

SEAT_KINDS: Final = ("person", "program", "automatic")


class GameRead(NamedTuple):
    """A game in play as it was read for one viewer, of any kind.

    `sheet`: its `DealtSheet`. `names`: for each seat its name, and whether it is an automatic
    player. `seat`: the viewer's seat, None for a spectator. `cup`: the dice under the viewer's own
    cups, whose type depends on the kind of game; None for a spectator. `length`: the number of
    entries on the sheet. `deadline`: when the time of the seats to act ends, None once the game is
    over.
    """

    kind: str
    sheet: Any
    names: Sequence[tuple[str, bool]]
    seat: int | None
    cup: Any
    length: int
    deadline: datetime | None


class SeatSeen(NamedTuple):
    """A seat at a table, with a `kind` of SEAT_KINDS."""

    number: int
    name: str
    kind: str


class TableSeen(NamedTuple):
    """A table as one viewer sees it. `seat`: the viewer's own seat; `game`: None before the game
    begins.
    """

    table: OnlineTable
    seats: Sequence[SeatSeen]
    seat: int | None
    game: GameRead | None


def seat_kind(seat: OnlineSeat) -> str:
    """Return the kind of player at a seat, one of SEAT_KINDS."""
    if seat.automatic:
        return "automatic"
    return "program" if seat.is_program else "person"
