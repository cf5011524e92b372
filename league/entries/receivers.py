"""All that entries do when an event changes."""

from typing import Any

from django.dispatch import receiver

from league.entries.services.entry import entries_move_up
from league.events.models import Event
from league.events.signals import event_changed
from league.log.services import Actor


@receiver(event_changed)
def waiting_move_up(*, event: Event, actor: Actor, **kwargs: Any) -> None:
    """Give those who wait the places that there are more of now."""
    entries_move_up(event=event, actor=actor)
