"""The time at which a round's games were played, and rounds that were taken back."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from league.core.viewer.domain import role_words
from league.stages.table.models import Table


def moment_of_play(table: Table, number: int, entered_at: datetime) -> datetime:
    """Return the time at which game `number` of a table is assumed to have been played: the start
    of its round by the clock, else the planned start of the table or the round, else the start of
    the event or the request for the draw, whichever is later.

    Each further game is a minute later, to keep their order; no game is later than `entered_at`.
    """
    stage_round = table.stage_round
    started_at = stage_round.clock_started_at or table.starts_at or stage_round.starts_at
    if started_at is None:
        started_at = max(stage_round.stage.event.starts_at, stage_round.asked_at)
    return min(started_at + timedelta(minutes=number - 1), entered_at)


class Retraction(NamedTuple):
    """When and why a published round was taken back. `reason` is empty if there is none that
    everybody may read; `role` is the role of the person who did it, empty if the log has none."""

    at: datetime
    reason: str
    role: str

    @property
    def author(self) -> str:
        """Return the role of the person who took it back, in words."""
        return role_words(self.role)
