"""Addresses of events."""

from django.urls import path, register_converter

from league.core.club.urls import CLUB, CLUB_API, CLUB_DESK
from league.core.frame.converters import FreeSlugConverter
from league.events.event.api import Events, OneEvent
from league.events.event.desk.event import event_desk_list, event_new_page, event_settings_page
from league.events.event.models import EVENT_RESERVED


class EventConverter(FreeSlugConverter):
    """`<event:event_slug>`: the slug of an event on organisers' pages."""

    taken = frozenset(EVENT_RESERVED)


register_converter(EventConverter, "event")

EVENT = f"{CLUB}/events/<slug:event_slug>"
EVENT_DESK = f"{CLUB_DESK}/events/<event:event_slug>"
EVENT_API = f"{CLUB_API}/events/<slug:event>"

desk = [
    path(f"{CLUB_DESK}/events/", event_desk_list, name="desk-events"),
    path(f"{CLUB_DESK}/events/new/", event_new_page, name="desk-event-new"),
    path(f"{EVENT_DESK}/settings/", event_settings_page, name="desk-event-settings"),
]

api = [
    path(f"{CLUB_API}/events/", Events.as_view({"get": "list_events", "post": "create_event"})),
    path(f"{EVENT_API}/", OneEvent.as_view({"get": "get_event", "patch": "change_event"})),
]
