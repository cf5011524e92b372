"""Base views of stages, rounds and tables, and the versions on which their answers depend."""

from __future__ import annotations

from typing import Any, Final

from django.utils.functional import cached_property
from rest_framework import serializers

from league.core.frame.api.serializers import Serializer
from league.core.log.queries import log_end
from league.core.player.api import PlayerSerializer
from league.events.event.api import EventView
from league.events.event.models import Event
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import StageFacts, published_facts
from league.stages.stage.models import Stage
from league.stages.stage.queries.access import stage_of
from league.stages.stage.queries.facts import stage_facts
from league.stages.table.models import Table
from league.stages.table.queries.access import round_of, table_for

AT_TABLE: Final = "Scorers and organisers of the club, and who sits at the table, may do this."
"""The refusal of everybody else."""


def stage_versions(stage: Stage) -> tuple[object, ...]:
    """Return the versions on which answers about a stage depend: its own version, and the end of
    the club's log, in which every change of an event, an entry, a name or a right is noted."""
    return (stage.public_id, stage.version, log_end(stage.event.club_id))


class StageView(EventView):
    """A view of a stage, or of something that belongs to it."""

    noun = "stage"

    @cached_property
    def stage(self) -> Stage:
        """Return the stage of the address. Raise `DoesNotExist` if the viewer may not see its
        event."""
        return stage_of(self.event, self.kwargs["stage"])

    def versions(self) -> tuple[object, ...]:
        """Return the versions of the stage, and whether the API key belongs to another club."""
        return (*stage_versions(self.stage), self.is_foreign(self.club.slug))

    def facts(self) -> StageFacts:
        """Return the facts of the stage that the viewer may see."""
        facts = stage_facts(self.stage)
        if self.runs:
            return facts
        return published_facts(facts)


class RoundView(StageView):
    """A view of rounds; rounds that aren't published are for organisers alone."""

    @cached_property
    def stage_round(self) -> StageRound:
        """Return the round of the address. Raise `StageRound.DoesNotExist` if the viewer may not
        see it."""
        return round_of(self.stage, self.kwargs["number"], organiser=self.runs)

    def get_object(self) -> Any:
        """Return the round, or the stage. Raise `StageRound.DoesNotExist` if the viewer may not
        see it."""
        if "number" in self.kwargs:
            return self.stage_round
        return self.stage


class TableView(EventView):
    """A view of one table."""

    noun = "table"

    @cached_property
    def table(self) -> Table:
        """Return the published table of the address. Raise `Table.DoesNotExist` if the viewer may
        not see its event."""
        return self.by_id(
            table_for, self.kwargs["table"], lambda table: table.stage_round.stage.event.club
        )

    @cached_property
    def event(self) -> Event:
        """Return the event of the table, loaded with it."""
        return self.table.stage_round.stage.event

    def versions(self) -> tuple[object, ...]:
        """Return the versions of the table's stage."""
        return stage_versions(self.table.stage_round.stage)


PLAYER: Final = ("player", "handle", "name")
"""The attributes of a member that describe the player."""


class MemberSerializer(Serializer):
    """A member of a stage: the id of the entry, and the player."""

    entry = serializers.CharField(source="entry_id")
    player = PlayerSerializer(source="*", columns=PLAYER)
