"""What the views of stages have in common."""

from __future__ import annotations

from league.log.queries import log_end
from league.stages.models import Stage


def stage_versions(stage: Stage) -> tuple[object, ...]:
    """What everything that is told of a stage has come to: its own version, and the end of the club's log, in which
    every change of an event, an entry, a name or a right stands."""
    return (stage.public_id, stage.version, log_end(stage.event.club_id))
