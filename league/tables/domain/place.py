"""Where and when a table is played."""

from __future__ import annotations

from datetime import datetime

from league.hall.queries.timetable import Timed
from league.stages.models import Format, Stage


def place_of(stage: Stage, round: int, number: int, timed: Timed | None) -> tuple[str, datetime | None]:
    """Where and when a table that isn't finished is played: as the published timetable has it, or at its own number,
    whenever its round is; of a ladder each table is a round."""
    if timed is not None:
        return str(timed.place), timed.slot.starts_at
    return str(round if stage.format == Format.LADDER else number), None
