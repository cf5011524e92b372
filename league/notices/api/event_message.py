"""Messages of organisers to all who have a place in an event."""

from __future__ import annotations

from typing import Any, ClassVar

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.events.api.view import EventWriteView, actor
from league.events.queries.event import event_versions
from league.frame.api.body import ModelSerializer
from league.frame.api.document import change_documented, documented
from league.frame.api.parameters import Paged
from league.notices.models import EventMessage
from league.notices.queries.notice import messages_of, reached
from league.notices.services.message import message_send
from league.seasons.api.view import SeenListView


class EventMessageSerializer(ModelSerializer[EventMessage]):
    """A message of organisers, as plain text: everybody who has a place reads it. Messages that a name was taken out of
    are gone."""

    id = serializers.CharField(source="public_id", read_only=True)
    sent_by = serializers.CharField(
        source="sent_by.public_id", read_only=True, allow_null=True, help_text="The id of the account."
    )

    class Meta:
        model = EventMessage
        fields: ClassVar = ["id", "subject", "text", "sent_at", "sent_by"]
        read_only_fields = ("sent_at",)


class MessageReachSerializer(EventMessageSerializer):
    """A message that was sent. `people` have a place; `reached` of them have an account, or entered by mail."""

    people = serializers.SerializerMethodField()
    reached = serializers.SerializerMethodField()

    class Meta(EventMessageSerializer.Meta):
        fields: ClassVar = [*EventMessageSerializer.Meta.fields, "people", "reached"]

    def get_people(self, message: EventMessage) -> int:
        """The number of those who have a place."""
        return int(self.context["reach"].people)

    def get_reached(self, message: EventMessage) -> int:
        """The number of those whom it finds."""
        return int(self.context["reach"].found)


class EventMessages(EventWriteView, SeenListView):
    """The messages of an event."""

    @documented(
        "list_messages", "An event's messages", EventMessageSerializer(many=True), problems=[404], parameters=[Paged]
    )
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """The messages to all who have a place, the latest first; for organisers."""
        row = self.run_event(club, event)
        return self.unless_unchanged(event_versions(row), lambda: self.paged(messages_of(row), EventMessageSerializer))

    @change_documented(
        "send_message", "Write to the players", EventMessageSerializer, MessageReachSerializer,
        example={"subject": "We begin later", "text": "The hall opens at eight."},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str) -> Response:
        """Write to all who have a place, as an organiser: by mail and to their devices, as each of them wants it."""
        row = self.event(club, event)
        by = actor(self.organiser(row.club))
        request_body = self.sent()
        text = EventMessageSerializer.of(request_body.content)

        def send() -> dict[str, Any]:
            message = message_send(event=row, actor=by, **text)
            message.refresh_from_db()
            return MessageReachSerializer(message, context={"reach": reached(row)}).data

        return self.done(request_body, send)
