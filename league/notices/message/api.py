"""Messages to all players who have a place in an event, for programs."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from rest_framework import serializers

from league.core.frame.api.operation import reads
from league.core.frame.api.serializers import ModelSerializer
from league.core.log.services import Actor
from league.events.event.api import EventWriteView
from league.events.event.models import Event
from league.notices.message.models import EventMessage
from league.notices.message.services import message_send
from league.notices.notice.queries.notice import messages_of, reached
from league.standings.ranking.api.view import changes

MESSAGE: Final = {"subject": "We begin later", "text": "The hall opens at eight."}


class EventMessageSerializer(ModelSerializer[EventMessage]):
    """A message from the organisers to everybody who has a place, as plain text. Messages that
    mentioned an erased player are deleted."""

    sent_by = serializers.CharField(
        source="sent_by.public_id",
        read_only=True,
        allow_null=True,
        help_text="The id of the account.",
    )

    class Meta:
        model = EventMessage
        fields: ClassVar = ["id", "subject", "text", "sent_at", "sent_by"]
        read_only_fields = ("sent_at",)


class MessageReachSerializer(EventMessageSerializer):
    """A message that was sent. `people` have a place; `reached` of them have an account or entered
    by email."""

    people = serializers.IntegerField(
        source="reach.people", read_only=True, help_text="The number of those who have a place."
    )
    reached = serializers.IntegerField(
        source="reach.found", read_only=True, help_text="The number of people it reaches."
    )

    class Meta(EventMessageSerializer.Meta):
        fields: ClassVar = [*EventMessageSerializer.Meta.fields, "people", "reached"]


class EventMessages(EventWriteView):
    """The messages of an event."""

    @reads("An event's messages", EventMessageSerializer(many=True), for_organisers=True)
    def list_messages(self, event: Event) -> list[EventMessage]:
        """The messages to everybody who has a place, the latest first; for organisers."""
        return messages_of(event)

    @changes(
        "Write to the players", EventMessageSerializer, MessageReachSerializer, example=MESSAGE
    )
    def send_message(self, event: Event, body: dict[str, Any], actor: Actor) -> EventMessage:
        """Message everybody who has a place, as an organiser: by email and on their devices, as
        each of them has chosen."""
        message = message_send(event=event, actor=actor, **body)
        message.refresh_from_db()
        message.reach = reached(event)  # type: ignore[attr-defined]  # lists don't tell it
        return message
