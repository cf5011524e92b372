"""The state of an event for its cockpit."""

from __future__ import annotations

from league.events.entry.queries.entry import entry_counts
from league.events.event.models import Event
from league.floor.cockpit.domain.cockpit import Cockpit, next_step, undo_step
from league.stages.stage.models import Stage
from league.stages.stage.queries.facts import stage_course
from league.stages.stage.queries.missing_points import missing_points
from league.stages.table.queries.table import disputed_results


def cockpit(event: Event) -> Cockpit:
    """Return the state of an event that a loader returned, with its next step. Five queries are
    made, seven in a knock-out, whatever the number of players, and one more if a stage counts
    points."""
    stages = tuple(event.stages.order_by("number"))
    stage = next((stage for stage in stages if stage.status != Stage.Status.FINISHED), None)
    is_running = stage is not None and stage.status == Stage.Status.RUNNING
    facts = stage_course(stage) if stage and is_running else None
    counts = entry_counts(event)
    return Cockpit(
        event=event,
        stages=stages,
        counts=counts,
        stage=stage,
        facts=facts,
        next_step=next_step(event, stages, stage, facts, counts.there),
        undo=undo_step(event, stages, stage, facts),
        missing=tuple(missing_points(stages)),
    )


def disputed_games(event: Event) -> int:
    """Return how many games of an event have provisional results. One query."""
    return disputed_results(event).count()
