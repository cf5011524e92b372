"""The status of an event."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from league.evening.services.event import event_move
from league.events.api.event import EventSerializer
from league.events.api.view import EventWriteView
from league.events.models import Event
from league.events.queries.event import counted_event
from league.log.services import Actor
from league.seasons.api.writing import ReasonBody, changes


class EventStatusBody(ReasonBody):
    """The status that an event shall have, and perhaps why. Everybody can read why one goes on after its end."""

    status = serializers.ChoiceField(Event.Status.choices)


class EventStatuses(EventWriteView):
    """The status of an event."""

    @changes("Let an event go on, or back", EventStatusBody, EventSerializer, example={"status": "running"})
    def move_event(self, event: Event, body: dict[str, Any], actor: Actor) -> Event:
        """Open an event for entries, start it, finish it, cancel it, or take a step back, as an organiser."""
        event_move(event=event, status=body["status"], actor=actor)
        return counted_event(event)
