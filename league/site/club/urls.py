"""Addresses of a club’s first pages."""

from django.urls import path

from league.core.club.urls import CLUB, CLUB_DESK
from league.site.club.desk import club_desk
from league.site.club.web import club_home, ranking_page
from league.standings.season.urls import SEASON

pages = [
    path(f"{CLUB}/", club_home, name="club"),
    path(f"{SEASON}/", ranking_page, name="season"),
]

desk = [
    path(f"{CLUB_DESK}/", club_desk, name="desk"),
]
