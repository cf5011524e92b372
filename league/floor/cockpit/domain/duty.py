"""Where a member of a club is needed now: events that run or are about to, their tables without a
result, who is missing."""

from __future__ import annotations

from dataclasses import dataclass

from league.events.event.models import Event
from league.floor.clock.domain import RoundClock
from league.stages.round.models import StageRound
from league.stages.stage.domain.table_name import NamedTable


@dataclass(frozen=True, slots=True)
class WaitingTable(NamedTable):
    """A table without a result, and the names of those who sit there, in seat order."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Duty:
    """An event with all that somebody who works there looks for; `manages`: as an organiser of the
    club.

    `missing`: the names of those who have a place and aren't checked in, of whom `more` aren't
    listed. `free_stage`: the number of the stage at whose free tables people sit down now, None
    where there is none."""

    event: Event
    manages: bool
    waiting: tuple[WaitingTable, ...]
    missing: tuple[str, ...]
    more: int
    clock: RoundClock | None
    free_stage: int | None

    @property
    def stage_round(self) -> StageRound | None:
        """The newest round with a table that waits; None without one."""
        return self.waiting[-1].table.stage_round if self.waiting else None
