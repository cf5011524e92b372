"""The time at which a table's game was played, where nobody says it."""

from __future__ import annotations

from datetime import datetime, timedelta

from league.stages.table.models import Table


def moment_of_play(table: Table, number: int, at: datetime) -> datetime:
    """The time of the game `number` of a table that is entered `at` a time: that of its table or its round, as it is
    planned or was begun, else that of the draw or of the event's beginning, whichever is later.

    A further game of a table comes a minute later each, so that they stand in their order; no game lies ahead.
    """
    stage_round = table.stage_round
    begun = stage_round.clock_started_at or table.starts_at or stage_round.starts_at
    if begun is None:
        begun = max(stage_round.stage.event.starts_at, stage_round.asked_at)
    return min(begun + timedelta(minutes=number - 1), at)
