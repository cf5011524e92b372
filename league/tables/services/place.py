"""Letting tables be played where and when the timetable says."""

from __future__ import annotations

from league.hall.queries.timetable import places_published
from league.stages.services.version import version_raise
from league.tables.domain.place import place_of
from league.tables.models import StageRound, Table


def tables_tell(event_id: int, **which: object) -> None:
    """Let the open tables of an event, or (`which`) some of them, be played where and when the published timetable
    says, in the caller's transaction; the event's pages hear of it. What is finished stays where it was played.
    """
    gone = (StageRound.Status.FAILED, StageRound.Status.TAKEN_BACK)
    tables = Table.objects.filter(stage_round__stage__event=event_id, finished=False, **which)
    timed = places_published(event_id)
    changed = []
    for table in tables.exclude(stage_round__status__in=gone).select_related("stage_round__stage"):
        stage, round = table.stage_round.stage, table.stage_round.number
        wanted = place_of(stage, round, table.number, timed.get((stage.pk, round, table.number)))
        if (table.place, table.starts_at) != wanted:
            table.place, table.starts_at = wanted
            changed.append(table)
    Table.objects.bulk_update(changed, ["place", "starts_at"])
    version_raise(event=event_id)
