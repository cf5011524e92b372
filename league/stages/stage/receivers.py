"""All that stages do when somebody comes."""

from typing import Any

from django.dispatch import receiver

from league.core.log.services import Journal
from league.events.entry.signals import entries_checked_in
from league.events.event.models import Event
from league.stages.stage.services.latecomer import stage_join


@receiver(entries_checked_in)
def latecomers_join(*, journal: Journal, event: Event, **kwargs: Any) -> None:
    """Take those who came late into the stage that is played."""
    stage_join(journal, event)
