"""Addresses of standings."""

from django.urls import path

from league.core.player.urls import PLAYER
from league.standings.season.urls import SEASON
from league.standings.standing.web.days import rank_days_page
from league.standings.standing.web.standing import standing_page

pages = [
    path(f"{SEASON}/{PLAYER}/", standing_page, name="standing"),
    path(f"{SEASON}/{PLAYER}/days/", rank_days_page, name="rank-days"),
]
