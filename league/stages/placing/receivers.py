"""All that placings do when a stage that is over changes."""

from typing import Any

from django.dispatch import receiver

from league.stages.placing.services import places_write
from league.stages.stage.signals import finished_stage_changed


@receiver(finished_stage_changed)
def places_follow(*, event_id: int, **kwargs: Any) -> None:
    """Let later stages and the final places of the event follow."""
    places_write(event_id=event_id)
