"""What the hall does when there are tables to be played."""

from league.floor.hall.services import tables_tell
from league.floor.timetable.queries import places_published
from league.stages.result.services.result import table_reopened
from league.stages.round.models import StageRound
from league.stages.table.models import Table
from league.stages.table.services.table import tables_drawn


@tables_drawn.add
def drawn_tables_find_places(stage_round: StageRound) -> None:
    """Let the tables of a round be played where and when the published timetable keeps places for
    them."""
    stage = stage_round.stage
    if places_published(stage.event_id, stage=stage, round=stage_round.number):
        tables_tell(stage.event_id, stage_round=stage_round)


@table_reopened.add
def reopened_table_finds_place(table: Table) -> None:
    """Let a table that is played on be played where and when the timetable says by now."""
    tables_tell(table.stage_round.stage.event_id, pk=table.pk)
