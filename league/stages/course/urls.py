"""Addresses of an event’s course."""

from django.urls import path

from league.events.event.urls import EVENT_API
from league.stages.course.api import EventRun

api = [
    path(f"{EVENT_API}/status/", EventRun.as_view({"post": "move_event"})),
    path(f"{EVENT_API}/history/", EventRun.as_view({"get": "list_history"})),
]
