"""Addresses of public pages of events."""

from django.urls import path

from league.core.club.urls import CLUB
from league.events.event.urls import EVENT
from league.floor.event_page.web import event_list, event_page

pages = [
    path(f"{CLUB}/events/", event_list, name="events"),
    path(f"{EVENT}/", event_page, name="event"),
]
