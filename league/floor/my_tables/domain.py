"""The tables of somebody’s day, and which of them comes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from league.events.event.models import Event
from league.stages.round.models import StageRound
from league.stages.stage.domain.table_name import NamedTable


class Seated(NamedTuple):
    """Somebody at a table, in seat order; `mine`: it is the reader."""

    handle: str
    name: str
    mine: bool


@dataclass(frozen=True, slots=True)
class MyTable(NamedTable):
    """A table at which the reader sits: with round, stage, event and club.

    `ranks` says for each game that is over where the reader finished, None for one without.
    `provisional`: the result of one of these games is disputed."""

    seats: tuple[Seated, ...]
    ranks: tuple[int | None, ...]
    provisional: bool

    @property
    def begins(self) -> datetime | None:
        """Tell when it is played, if a timetable or the round says so."""
        return self.table.starts_at or self.table.stage_round.starts_at

    @property
    def event(self) -> Event:
        """The event at which it stands."""
        return self.table.stage_round.stage.event


class MyDay(NamedTuple):
    """The table that comes next (None: there is none), and all others of the day, the latest
    first."""

    next_table: MyTable | None
    others: tuple[MyTable, ...]


def next_of(tables: Sequence[MyTable]) -> MyTable | None:
    """Return the table that is played next: of those that aren't finished the one that begins
    first, or was drawn first."""
    running = [
        table
        for table in tables
        if not table.table.finished
        and table.table.stage_round.status == StageRound.Status.PUBLISHED
        and table.event.status == Event.Status.RUNNING
    ]
    return min(
        running,
        key=lambda it: (it.begins or it.event.starts_at, it.table.stage_round_id),
        default=None,
    )
