"""Addresses of the cockpit."""

from django.urls import path

from league.events.event.urls import EVENT_DESK
from league.floor.cockpit.desk.cockpit import event_cockpit
from league.floor.cockpit.desk.step import event_step_page

desk = [
    path(f"{EVENT_DESK}/", event_cockpit, name="desk-event"),
    path(f"{EVENT_DESK}/steps/<slug:step>/", event_step_page, name="desk-event-step"),
]
