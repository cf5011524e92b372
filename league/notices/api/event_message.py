"""Messages of organisers to all who have a place in an event."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from rest_framework import serializers

from league.events.api.view import EventWriteView
from league.events.models import Event
from league.frame.api.operation import reads
from league.frame.api.serializers import ModelSerializer
from league.log.services import Actor
from league.notices.models import EventMessage
from league.notices.queries.notice import messages_of, reached
from league.notices.services.message import message_send
from league.seasons.api.writing import changes

EXAMPLE: Final = {"subject": "We begin later", "text": "The hall opens at eight."}


class EventMessageSerializer(ModelSerializer[EventMessage]):
    """A message of organisers, as plain text: everybody who has a place reads it. Messages that a name was taken out of
    are gone."""

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


class EventMessages(EventWriteView):
    """The messages of an event."""

    for_organisers = True

    def get_serializer_context(self) -> dict[str, Any]:
        """The number of those whom a new message reaches; lists don't tell it."""
        return {"reach": reached(self.event)} if self.action == "send_message" else {}

    @reads("An event's messages", EventMessageSerializer(many=True))
    def list_messages(self, event: Event) -> list[EventMessage]:
        """The messages to all who have a place, the latest first; for organisers."""
        return messages_of(event)

    @changes("Write to the players", EventMessageSerializer, MessageReachSerializer, example=EXAMPLE)
    def send_message(self, event: Event, body: dict[str, Any], actor: Actor) -> EventMessage:
        """Write to all who have a place, as an organiser: by mail and to their devices, as each of them wants it."""
        message = message_send(event=event, actor=actor, **body)
        message.refresh_from_db()
        return message
