"""Addresses of copies of seasons and events."""

from django.urls import path

from league.counting.season_copy.api import SeasonCopy
from league.counting.season_copy.desk import event_again_page, season_copy_page, stages_spread_page
from league.events.event.urls import EVENT_DESK
from league.standings.season.urls import SEASON_API, SEASON_DESK

desk = [
    path(f"{SEASON_DESK}/copy/", season_copy_page, name="desk-season-copy"),
    path(f"{EVENT_DESK}/again/", event_again_page, name="desk-event-again"),
    path(f"{EVENT_DESK}/stages/spread/", stages_spread_page, name="desk-stages-spread"),
]

api = [
    path(
        f"{SEASON_API}/copy/",
        SeasonCopy.as_view({"get": "preview_season_copy", "post": "copy_season"}),
    ),
]
