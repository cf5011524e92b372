"""The course of an event: what is done, what comes next, what that waits for, and what can be
undone."""

from __future__ import annotations

from league.events.entry.queries.entry import entry_counts
from league.events.event.models import Event
from league.floor.cockpit.domain.cockpit import Cockpit, next_step, undo_step
from league.stages.stage.models import Stage
from league.stages.stage.queries.facts import stage_course
from league.stages.stage.queries.missing_points import missing_points
from league.stages.table.queries.table import disputed_results


def cockpit(event: Event) -> Cockpit:
    """Read where an event stands that comes from a loader: five queries, seven in a knock-out,
    however many play, and one more where a stage counts points."""
    stages = tuple(event.stages.order_by("number"))
    stage = next((stage for stage in stages if stage.status != Stage.Status.FINISHED), None)
    running = stage is not None and stage.status == Stage.Status.RUNNING
    facts = stage_course(stage) if stage and running else None
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
    """Count the games of an event whose results are provisional. One query."""
    return disputed_results(event).count()
