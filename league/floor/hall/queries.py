"""The hall of an event: its places, its times, and the times at which players are away."""

from __future__ import annotations

from league.events.event.models import Event
from league.floor.hall.domain.hall import Hall
from league.floor.hall.models import Away


def hall_of(event: Event) -> Hall:
    """Return the hall of an event, by three queries; the rows of players who are away come with
    their entries."""
    return Hall(
        event=event,
        places=tuple(event.hall_places.order_by("number")),
        slots=tuple(event.slots.order_by("starts_at")),
        away=tuple(
            Away.objects.select_related("entry").filter(slot__event=event).order_by("entry", "slot")
        ),
    )
