"""Addresses of the close of a season."""

from django.urls import path

from league.counting.promotion.api import SeasonClose
from league.counting.promotion.desk import close_page
from league.standings.season.urls import SEASON_API, SEASON_DESK

desk = [
    path(f"{SEASON_DESK}/close/", close_page, name="desk-season-close"),
]

api = [
    path(
        f"{SEASON_API}/close/",
        SeasonClose.as_view({"get": "preview_season_close", "post": "close_season"}),
    ),
]
