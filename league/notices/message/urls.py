"""Addresses of messages to an event’s players."""

from django.urls import path

from league.events.event.urls import EVENT_API, EVENT_DESK
from league.notices.message.api import EventMessages
from league.notices.message.desk import event_notices_page

desk = [
    path(f"{EVENT_DESK}/notices", event_notices_page, name="desk-event-notices"),
]

api = [
    path(
        f"{EVENT_API}/messages/",
        EventMessages.as_view({"get": "list_messages", "post": "send_message"}),
    ),
]
