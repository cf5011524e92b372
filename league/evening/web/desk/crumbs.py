"""Addresses of what an organiser does with an event."""

from __future__ import annotations

from league.evening.domain.cockpit import EventStep
from league.events.models import Event
from league.events.web.desk.crumbs import desk_url


def step_url(event: Event, step: EventStep) -> str:
    """The address to which the button of a step is sent."""
    return desk_url(event, "desk-event-step", step)
