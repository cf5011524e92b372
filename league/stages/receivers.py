"""All that stages do when somebody comes."""

from typing import Any

from django.dispatch import receiver

from league.entries.signals import entries_checked_in
from league.events.models import Event
from league.log.services import Journal
from league.stages.services.latecomer import stage_join


@receiver(entries_checked_in)
def latecomers_join(*, journal: Journal, event: Event, **kwargs: Any) -> None:
    """Take those who came late into the stage that is played."""
    stage_join(journal, event)
