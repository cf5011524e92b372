"""The loaders of stages."""

from __future__ import annotations

from django.db.models import OuterRef, Subquery

from league.events.models import Event
from league.log.models import LogHead
from league.stages.models import Stage


def stage_of(event: Event, number: int) -> Stage:
    """A stage of an event that comes from a loader, by its number. Raises `Stage.DoesNotExist`."""
    stage = Stage.objects.get(event=event, number=number)
    stage.event = event
    return stage


def stage_state(stage_id: int) -> tuple[object, ...]:
    """Read what everything that a stage's pages show has come to, one query: the stage, the season's ranking, by which
    players have pages, and the club's log, in which every change of an event, an entry, a name or a right stands."""
    logged = Subquery(LogHead.objects.filter(club=OuterRef("event__club")).values("position"))
    ranking = "event__season__ranking__version"
    return tuple(Stage.objects.values_list("public_id", "version", ranking, logged).get(pk=stage_id))
