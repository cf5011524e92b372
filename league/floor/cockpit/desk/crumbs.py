"""Addresses of what an organiser does with an event."""

from __future__ import annotations

from league.events.event.desk.crumbs import desk_url
from league.events.event.models import Event
from league.floor.cockpit.domain.cockpit import EventStep


def step_url(event: Event, step: EventStep) -> str:
    """The address to which the button of a step is sent."""
    return desk_url(event, "desk-event-step", step)
