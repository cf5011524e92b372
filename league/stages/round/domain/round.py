"""The time at which a round's games were played, and rounds that were taken back."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from league.core.viewer.domain import role_words
from league.stages.table.models import Table


def moment_of_play(table: Table, number: int, at: datetime) -> datetime:
    """Return the default time at which game `number` of a table, entered at `at`, was played: the
    planned or actual start of the table or round, else that of the draw or the event, whichever is
    later.

    Each further game comes a minute later, to keep their order; no game lies in the future.
    """
    stage_round = table.stage_round
    begun = stage_round.clock_started_at or table.starts_at or stage_round.starts_at
    if begun is None:
        begun = max(stage_round.stage.event.starts_at, stage_round.asked_at)
    return min(begun + timedelta(minutes=number - 1), at)


class Retraction(NamedTuple):
    """When and why a published round was taken back. `reason` is empty if there is none that
    everybody may read; `role` is the role of the person who did it, empty if the log has none."""

    at: datetime
    reason: str
    role: str

    @property
    def author(self) -> str:
        """Return who took it back, as the words for their role."""
        return role_words(self.role)
