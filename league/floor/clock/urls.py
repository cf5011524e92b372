"""Addresses of clocks."""

from django.urls import path

from league.events.event.urls import EVENT
from league.floor.clock.api import ClockOfRound
from league.floor.clock.desk import round_clock_page
from league.floor.clock.web import clock_page
from league.stages.round.urls import ROUND_API, ROUND_DESK

pages = [
    path(f"{EVENT}/clock/", clock_page, name="clock"),
]

desk = [
    path(f"{ROUND_DESK}/clock/", round_clock_page, name="desk-round-clock"),
]

api = [
    path(
        f"{ROUND_API}/clock/",
        ClockOfRound.as_view({"get": "get_round_clock", "post": "set_round_clock"}),
    ),
]
