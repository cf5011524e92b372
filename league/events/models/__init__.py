"""The models of events, one noun a file."""

from league.events.models.calendar import CalendarAddress
from league.events.models.event import Event, Series
from league.events.models.helper import Helper, HelperInvitation

__all__ = [
    "CalendarAddress",
    "Event",
    "Helper",
    "HelperInvitation",
    "Series",
]
