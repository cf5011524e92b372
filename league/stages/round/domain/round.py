"""When a round's games were played, where nobody says it, and how a round that was taken back stays
readable."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from league.core.viewer.domain import role_words
from league.stages.table.models import Table


def moment_of_play(table: Table, number: int, at: datetime) -> datetime:
    """The time of the game `number` of a table that is entered `at` a time: that of its table or
    its round, as it is planned or was begun, else that of the draw or of the event's beginning,
    whichever is later.

    A further game of a table comes a minute later each, so that they stand in their order; no game
    lies ahead."""
    stage_round = table.stage_round
    begun = stage_round.clock_started_at or table.starts_at or stage_round.starts_at
    if begun is None:
        begun = max(stage_round.stage.event.starts_at, stage_round.asked_at)
    return min(begun + timedelta(minutes=number - 1), at)


class Retraction(NamedTuple):
    """A round that everybody could see was taken back. `reason` is empty where none was given, or
    none that everybody may read; `role` is that of who did it, empty where the log doesn't tell."""

    at: datetime
    reason: str
    role: str

    @property
    def author(self) -> str:
        """By whom it was taken back, in words."""
        return role_words(self.role)
