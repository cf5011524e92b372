"""Timetables of an event: the facts that they are made from, and their tables."""

from __future__ import annotations

from collections.abc import Sequence

from league.events.event.models import Event
from league.floor.hall.queries import hall_of
from league.floor.timetable.domain.timetable import Status, TableKey, Timed, TimetableFacts
from league.floor.timetable.models import Timetable, TimetableTable
from league.stages.stage.models import Stage
from league.stages.stage.queries.facts import stage_facts


def timetable_facts(event: Event) -> TimetableFacts:
    """Return the facts for the timetables of an event that a loader returned, by at most eleven
    queries, whatever the number of players."""
    stage = event.stages.exclude(status=Stage.Status.PLANNED).order_by("-number").first()
    timetables = list(event.timetables.exclude(status=Status.DROPPED).order_by("pk"))
    published = next((row for row in timetables if row.status == Status.PUBLISHED), None)
    draft = timetables[-1] if timetables and timetables[-1].status != Status.PUBLISHED else None
    return TimetableFacts(
        hall=hall_of(event),
        stage=stage_facts(stage) if stage else None,
        draft=draft,
        published=published,
        rows=timed_tables([row for row in (draft, published) if row]),
    )


def timed_tables(timetables: Sequence[Timetable]) -> dict[int, dict[TableKey, Timed]]:
    """Return the times and places of the tables of timetables, by the timetables' row ids. One
    query."""
    tables: dict[int, dict[TableKey, Timed]] = {}
    if timetables:
        rows = TimetableTable.objects.select_related("stage", "slot", "place").filter(
            timetable__in=timetables
        )
        for row in rows.order_by("timetable", "stage", "round", "number"):
            key = TableKey(row.stage.public_id, row.round, row.number)
            tables.setdefault(row.timetable_id, {})[key] = Timed(row.slot, row.place)
    return tables


def places_published(event_id: int, **which: object) -> dict[tuple[int, int, int], Timed]:
    """Return the times and places of the tables in the published timetable of an event, drawn or
    not, or only of those that match the lookups `which`. The keys are the stage's row id, the
    round, and the number there. One query."""
    rows = TimetableTable.objects.select_related("slot", "place").filter(
        timetable__event=event_id, timetable__status=Status.PUBLISHED, **which
    )
    return {(row.stage_id, row.round, row.number): Timed(row.slot, row.place) for row in rows}
