"""The status of an event."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.evening.services.event import event_move
from league.events.api.event import EventSerializer, event_answer
from league.events.api.view import EventWriteView, actor
from league.events.models import Event
from league.frame.api.document import change_documented
from league.seasons.api.writing import ReasonBody


class EventStatusBody(ReasonBody):
    """The status that an event shall have, and perhaps why."""

    status = serializers.ChoiceField(Event.Status.choices)


class EventStatus(EventWriteView):
    """The status of an event."""

    @change_documented(
        "move_event", "Let an event go on, or back", EventStatusBody, EventSerializer,
        example={"status": "running"},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str) -> Response:
        """Open an event for entries, start it, finish it, cancel it, or take a step back, as an organiser."""
        row = self.event(club, event)
        account = self.organiser(row.club)
        request_body = self.sent()
        settings = EventStatusBody.of(request_body.content)

        def move() -> dict[str, Any]:
            event_move(event=row, status=settings["status"], actor=actor(account, settings.get("reason", "")))
            return event_answer(row)

        return self.done(request_body, move)
