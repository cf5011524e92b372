"""What organisers write to all who have a place in an event."""

from __future__ import annotations

from typing import Any, Final

from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.events.api.view import EventWriteView, actor
from league.events.queries.event import event_versions
from league.frame.api.body import Body
from league.frame.api.document import change_documented, documented
from league.frame.api.parameters import Paged
from league.frame.names import all_seen
from league.notices.models import EventMessage
from league.notices.queries.notice import messages_of, reached
from league.notices.services.message import message_send
from league.seasons.api.view import SeenListView


class EventMessageShape(serializers.Serializer[None]):
    """What organisers wrote. Messages that a name was taken out of are gone."""

    id = serializers.CharField()
    subject = serializers.CharField()
    text = serializers.CharField()
    sent_at = serializers.DateTimeField()
    sent_by = serializers.CharField(allow_null=True, help_text="The id of the account.")


class SentMessageShape(EventMessageShape):
    """A message that was sent. `people` have a place; `reached` of them have an account, or entered by mail."""

    people = serializers.IntegerField()
    reached = serializers.IntegerField()


def event_message_json(message: EventMessage) -> dict[str, Any]:
    """A message, with who sent it, as it is sent."""
    return {
        "id": message.public_id,
        "subject": message.subject,
        "text": message.text,
        "sent_at": message.sent_at,
        "sent_by": message.sent_by.public_id if message.sent_by else None,
    }


SAID: Final = {"subject": "We begin later", "text": "The hall opens at eight."}
EXAMPLE: Final = {
    "id": "n5xq8kt2wm", **SAID, "sent_at": "2026-12-03T16:02:00Z", "sent_by": "p3wz7hq9kt",
}  # fmt: skip


class EventMessageBody(Body):
    """What is written, as plain text. Everybody who has a place reads it."""

    subject = serializers.CharField(max_length=120, validators=[all_seen])
    text = serializers.CharField(max_length=2000)


class EventMessages(EventWriteView, SeenListView):
    """The messages of an event."""

    @documented(
        "list_messages", "An event's messages", EventMessageShape(many=True), problems=[404], parameters=[Paged],
        example=EXAMPLE,
    )  # fmt: skip
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """What organisers wrote to all who have a place, the latest first; for organisers."""
        found = self.run_event(club, event)
        return self.unless_unchanged(event_versions(found), lambda: self.paged(messages_of(found), event_message_json))

    @change_documented(
        "send_message", "Write to the players", EventMessageBody, SentMessageShape, example=SAID,
        answered=EXAMPLE | {"people": 17, "reached": 12},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str) -> Response:
        """Write to all who have a place, as an organiser: by mail and to their devices, as each of them wants it."""
        found = self.event(club, event)
        account = self.organiser(found.club)
        sent = self.sent()
        said = EventMessageBody.of(sent.content)

        def send() -> dict[str, Any]:
            message = message_send(event=found, actor=actor(account), **said)
            message.refresh_from_db()
            who = reached(found)
            return {**event_message_json(message), "people": who.people, "reached": who.found}

        return self.done(sent, send)
