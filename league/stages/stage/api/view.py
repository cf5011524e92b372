"""The bases of views of stages, rounds and tables, and what their answers depend on."""

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
from league.stages.stage.domain.facts import StageFacts, published
from league.stages.stage.models import Stage
from league.stages.stage.queries.access import stage_of
from league.stages.stage.queries.facts import stage_facts
from league.stages.table.models import Table
from league.stages.table.queries.access import round_of, table_for

AT_TABLE: Final = "Scorers and organisers of the club, and who sits at the table, may do this."
"""Whoever else is refused what is done at a table."""


def stage_versions(stage: Stage) -> tuple[object, ...]:
    """The versions of everything that is told of a stage: its own version, and the end of the
    club's log, in which every change of an event, an entry, a name or a right stands."""
    return (stage.public_id, stage.version, log_end(stage.event.club_id))


class StageView(EventView):
    """A view of a stage, or of something that hangs on it."""

    noun = "stage"

    @cached_property
    def stage(self) -> Stage:
        """The stage of the address. Raises `DoesNotExist` where the viewer may not see its
        event."""
        return stage_of(self.event, self.kwargs["stage"])

    def versions(self) -> tuple[object, ...]:
        """The versions of all that is told of the stage, and whether the key that asks is another
        club's."""
        return (*stage_versions(self.stage), self.is_foreign(self.club.slug))

    def facts(self) -> StageFacts:
        """All of the stage that the viewer may see, as it is stored now."""
        facts = stage_facts(self.stage)
        return facts if self.runs else published(facts)


class RoundView(StageView):
    """A view of rounds: what isn't published yet is for organisers alone."""

    @cached_property
    def stage_round(self) -> StageRound:
        """The round of the address. Raises `StageRound.DoesNotExist` where the viewer may not see
        it."""
        return round_of(self.stage, self.kwargs["number"], organiser=self.runs)

    def get_object(self) -> Any:
        """The round, or the stage. Raises `StageRound.DoesNotExist` where the viewer may not see
        it."""
        return self.stage_round if "number" in self.kwargs else self.stage


class TableView(EventView):
    """A view of one table."""

    noun = "table"

    @cached_property
    def table(self) -> Table:
        """The published table of the address. Raises `Table.DoesNotExist` where the viewer may not
        see its event."""
        return self.by_id(
            table_for, self.kwargs["table"], lambda table: table.stage_round.stage.event.club
        )

    @cached_property
    def event(self) -> Event:
        """The event at which the table plays, loaded with it."""
        return self.table.stage_round.stage.event

    def versions(self) -> tuple[object, ...]:
        """The versions of all that is told of the table's stage."""
        return stage_versions(self.table.stage_round.stage)


PLAYER: Final = ("player", "handle", "name")
"""The attributes of a member that tell who the player is."""


class MemberSerializer(Serializer):
    """Somebody in a stage: the id of the entry, and the player."""

    entry = serializers.CharField(source="entry_id")
    player = PlayerSerializer(source="*", columns=PLAYER)
