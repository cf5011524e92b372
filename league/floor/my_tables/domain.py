"""The tables of a player’s day, and which of them comes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from league.events.event.models import Event
from league.stages.round.models import StageRound
from league.stages.stage.domain.table_name import NamedTable


class Seated(NamedTuple):
    """A player at a table; `mine`: it is the reader."""

    handle: str
    name: str
    mine: bool


@dataclass(frozen=True, slots=True)
class MyTable(NamedTable):
    """A table at which the reader has a seat, loaded with round, stage, event and club; `seats` are
    in seat order.

    `ranks`: the reader's rank in each finished game, None in a game without the reader.
    `provisional`: the result of one of these games is disputed.
    """

    seats: tuple[Seated, ...]
    ranks: tuple[int | None, ...]
    provisional: bool

    @property
    def begins(self) -> datetime | None:
        """Return when the table is played, if a timetable or the round says so."""
        return self.table.starts_at or self.table.stage_round.starts_at

    @property
    def event(self) -> Event:
        """Return the event of the table."""
        return self.table.stage_round.stage.event


class MyDay(NamedTuple):
    """The table that comes next (None if there is none), and all others of the day, the latest
    first."""

    next_table: MyTable | None
    others: tuple[MyTable, ...]


def next_of(tables: Sequence[MyTable]) -> MyTable | None:
    """Return the table that is played next: of the unfinished tables the one that begins first, or
    was drawn first."""
    open_tables = [
        table
        for table in tables
        if not table.table.finished
        and table.table.stage_round.status == StageRound.Status.PUBLISHED
        and table.event.status == Event.Status.RUNNING
    ]
    return min(
        open_tables,
        key=lambda own: (own.begins or own.event.starts_at, own.table.stage_round_id),
        default=None,
    )
