"""An online table as it was read for one viewer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from league.play.online_table.models import OnlineSeat, OnlineTable

SEAT_KINDS: Final = ("person", "program", "automatic")


class GameRead(NamedTuple):
    """A game in play as it was read for one viewer, whatever is played.

    `sheet`: its `DealtSheet`. `names`: of each seat, with whether it is an automatic player.
    `seat`: the viewer's own; None for a spectator. `cup`: the dice under the viewer's own cups, of
    the type of the kind of game; None for a spectator. `length`: the entries of the sheet.
    `deadline`: when the time of the seats to act ends; None once the game is over."""

    kind: str
    sheet: Any
    names: Sequence[tuple[str, bool]]
    seat: int | None
    cup: Any
    length: int
    deadline: datetime | None


class SeatSeen(NamedTuple):
    """Somebody who sits at a table: a `kind` of SEAT_KINDS."""

    number: int
    name: str
    kind: str


class TableSeen(NamedTuple):
    """A table as one viewer sees it. `seat`: the viewer's own seat; `game`: None before the game
    begins."""

    table: OnlineTable
    seats: Sequence[SeatSeen]
    seat: int | None
    game: GameRead | None


def seat_kind(seat: OnlineSeat) -> str:
    """Tell who sits there, as one of SEAT_KINDS; `automatic` is a player of the service."""
    if seat.automatic:
        return "automatic"
    return "program" if seat.is_program else "person"
