"""Addresses of series of events."""

from django.urls import path

from league.events.series.api import SeriesOfSeason
from league.events.series.desk import series_new_page
from league.standings.season.urls import SEASON_API, SEASON_DESK

desk = [
    path(f"{SEASON_DESK}/series/", series_new_page, name="desk-series-new"),
]

api = [
    path(
        f"{SEASON_API}/series/",
        SeriesOfSeason.as_view({"get": "list_series", "post": "create_series"}),
    ),
    path(f"{SEASON_API}/series/dates/", SeriesOfSeason.as_view({"post": "preview_series"})),
    path(f"{SEASON_API}/series/<public_id:series>/", SeriesOfSeason.as_view({"get": "get_series"})),
]
