"""The loaders of stages."""

from __future__ import annotations

from league.events.models import Event
from league.stages.models import Stage


def stage_of(event: Event, number: int) -> Stage:
    """A stage of an event that comes from a loader, by its number. Raises `Stage.DoesNotExist`."""
    stage = Stage.objects.get(event=event, number=number)
    stage.event = event
    return stage
