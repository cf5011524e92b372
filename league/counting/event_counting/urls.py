"""Addresses of a season's counting and divisions."""

from django.urls import path

from league.counting.event_counting.api import SeasonCounting, SeasonTables
from league.counting.event_counting.desk.counting import counting_page, divisions_page
from league.counting.event_counting.web import season_events
from league.standings.season.urls import SEASON, SEASON_API, SEASON_DESK

pages = [
    path(f"{SEASON}/by-events/", season_events, name="season-events"),
]

desk = [
    path(f"{SEASON_DESK}/counting/", counting_page, name="desk-season-counting"),
    path(f"{SEASON_DESK}/divisions/", divisions_page, name="desk-season-divisions"),
]

api = [
    path(f"{SEASON_API}/events/", SeasonTables.as_view({"get": "list_season_events"})),
    path(
        f"{SEASON_API}/counting/",
        SeasonCounting.as_view({"get": "get_season_counting", "post": "set_season_counting"}),
    ),
    path(
        f"{SEASON_API}/divisions/",
        SeasonTables.as_view({"get": "list_divisions", "post": "set_divisions"}),
    ),
]
