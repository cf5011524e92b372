"""The loaders of stages."""

from __future__ import annotations

from typing import NamedTuple

from league.events.models import Event
from league.rankings.queries.state import page_state
from league.stages.models import Stage


def stage_of(event: Event, number: int) -> Stage:
    """A stage of an event that comes from a loader, by its number. Raises `Stage.DoesNotExist`."""
    stage = Stage.objects.get(event=event, number=number)
    stage.event = event
    return stage


class StageSubject(NamedTuple):
    """A stage that a page shows, and the ranking of its season, by their row ids."""

    stage: int
    ranking: int


def stage_state(subject: StageSubject) -> tuple[object, ...]:
    """Read what everything that a stage's pages show has come to: the stage, the season's ranking, by which players
    have pages, and the club's log, in which every change of an event, an entry, a name or a right stands. Two small
    queries."""
    version = Stage.objects.values_list("version", flat=True).get(pk=subject.stage)
    return (version, *page_state(subject.ranking))
