"""All that entries do when an event changes."""

from typing import Any

from django.dispatch import receiver

from league.core.log.services import Actor
from league.events.entry.services.entry import entries_move_up
from league.events.event.models import Event
from league.events.event.signals import event_changed


@receiver(event_changed)
def waiting_move_up(*, event: Event, actor: Actor, **kwargs: Any) -> None:
    """Give those who wait the places that there are more of now."""
    entries_move_up(event=event, actor=actor)
