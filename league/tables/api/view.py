"""The base of views of stages, and what their answers depend on."""

from __future__ import annotations

from league.events.api.view import EventView
from league.log.queries import log_end
from league.stages.models import Stage
from league.stages.queries.access import stage_of
from league.tables.domain.stage import StageFacts, published
from league.tables.queries.stage import stage_facts


class StageView(EventView):
    """A view of something that hangs on a stage."""

    def stage(self, club: str, event: str, stage: int) -> Stage:
        """The stage, if the viewer may see its event. Raises `DoesNotExist`."""
        return stage_of(self.event(club, event), stage)

    def facts(self, stage: Stage) -> StageFacts:
        """All of a stage that the viewer may see."""
        facts = stage_facts(stage)
        return facts if self.runs(stage.event.club) else published(facts)


def stage_versions(stage: Stage) -> tuple[object, ...]:
    """The versions of everything that is told of a stage: its own version, and the end of the club's log, in which
    every change of an event, an entry, a name or a right stands."""
    return (stage.public_id, stage.version, log_end(stage.event.club_id))
