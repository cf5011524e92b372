"""All that the hall does when there are tables to be played."""

from typing import Any

from django.dispatch import receiver

from league.floor.hall.services import tables_tell
from league.floor.timetable.queries import places_published
from league.stages.round.models import StageRound
from league.stages.table.models import Table
from league.stages.table.signals import table_reopened, tables_drawn


@receiver(tables_drawn)
def drawn_tables_find_places(*, stage_round: StageRound, **kwargs: Any) -> None:
    """Let the tables of a round be played where and when the published timetable keeps places for them."""
    stage = stage_round.stage
    if places_published(stage.event_id, stage=stage, round=stage_round.number):
        tables_tell(stage.event_id, stage_round=stage_round)


@receiver(table_reopened)
def reopened_table_finds_place(*, table: Table, **kwargs: Any) -> None:
    """Let a table that is played on be played where and when the timetable says by now."""
    tables_tell(table.stage_round.stage.event_id, pk=table.pk)
