"""Events at which members of a club are needed now, with their tables without a result and the
players who are missing."""

from __future__ import annotations

from dataclasses import dataclass

from league.events.event.models import Event
from league.floor.clock.domain import RoundClock
from league.stages.round.models import StageRound
from league.stages.stage.domain.table_name import NamedTable


@dataclass(frozen=True, slots=True)
class WaitingTable(NamedTable):
    """A table without a result, and the names of its players in seat order."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Duty:
    """An event for a person who works there; `manages`: as an organiser of the club. `waiting`: the
    tables without a result.

    `missing`: the names of players who have a place and aren't checked in, of whom `more` aren't
    listed. `free_stage`: the number of the running stage of free tables, None if there is none.
    """

    event: Event
    manages: bool
    waiting: tuple[WaitingTable, ...]
    missing: tuple[str, ...]
    more: int
    clock: RoundClock | None
    free_stage: int | None

    @property
    def stage_round(self) -> StageRound | None:
        """Return the newest round with a table without a result; None if there is none."""
        return self.waiting[-1].table.stage_round if self.waiting else None
