"""The place at which a table is played where no timetable names another."""

from __future__ import annotations

from league.stages.models import Format, Stage


def own_place(stage: Stage, round_number: int, number: int) -> str:
    """A table's own number; of a ladder, where each table is a round, that of the round."""
    return str(round_number if stage.format == Format.LADDER else number)
