"""Addresses of styles of play."""

from django.urls import path

from league.standings.ranking.urls import ALL_TIME_API
from league.standings.season.urls import SEASON, SEASON_API
from league.standings.style.api import Styles
from league.standings.style.web import styles_page

pages = [
    path(f"{SEASON}/styles/", styles_page, name="styles"),
]

api = [
    path(f"{SEASON_API}/styles/", Styles.as_view({"get": "list_styles"})),
    path(f"{ALL_TIME_API}/styles/", Styles.as_view({"get": "list_all_time_styles"})),
]
