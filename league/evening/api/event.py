"""Where an event stands."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.evening.services.event import event_move
from league.events.api.event import EventSerializer, event_answer
from league.events.api.view import EventWriteView, actor
from league.events.models import Event
from league.frame.api.body import Body
from league.frame.api.document import change_documented


class EventStatusBody(Body):
    """Where an event shall stand, and why, for the club's log."""

    status = serializers.ChoiceField(Event.Status.choices)
    reason = serializers.CharField(required=False, allow_blank=True, max_length=500)


class EventStatus(EventWriteView):
    """Where an event stands."""

    @change_documented(
        "move_event", "Let an event go on, or back", EventStatusBody, EventSerializer, example={"status": "running"},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str) -> Response:
        """Open an event for entries, start it, finish it, cancel it, or take a step back, as an organiser."""
        found = self.event(club, event)
        account = self.organiser(found.club)
        sent = self.sent()
        said = EventStatusBody.of(sent.content)

        def move() -> dict[str, Any]:
            event_move(event=found, status=said["status"], actor=actor(account, said.get("reason", "")))
            return event_answer(found)

        return self.done(sent, move)
