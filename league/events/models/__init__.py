"""The models of events, one noun a file."""

from league.events.models.calendar import CalendarAddress
from league.events.models.event import Event, Series

__all__ = [
    "CalendarAddress",
    "Event",
    "Series",
]
