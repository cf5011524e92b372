"""Addresses of what an organiser does with an event."""

from __future__ import annotations

from django.urls import reverse

from league.evening.domain.cockpit import EventStep
from league.events.models import Event


def step_url(event: Event, step: EventStep) -> str:
    """The address to which the button of a step is sent."""
    return reverse("desk-event-step", args=[event.club.slug, event.slug, step])
