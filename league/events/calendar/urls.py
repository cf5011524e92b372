"""Addresses of calendars."""

from django.urls import path

from league.core.club.urls import CLUB
from league.events.calendar.web.calendar import club_calendar, event_calendar
from league.events.calendar.web.own_calendar import my_calendar, own_calendar
from league.events.event.urls import EVENT

pages = [
    path(f"{CLUB}/calendar.ics", club_calendar, name="club-calendar"),
    path(f"{EVENT}.ics", event_calendar, name="event-calendar"),
    path("me/calendar/", my_calendar, name="my-calendar"),
    path("calendar/<str:secret>.ics", own_calendar, name="own-calendar"),
]
