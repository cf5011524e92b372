"""Addresses of seasons."""

from django.urls import path, register_converter

from league.core.club.urls import CLUB, CLUB_API, CLUB_DESK
from league.core.frame.converters import FreeSlugConverter
from league.standings.season.api import Clubs, Seasons
from league.standings.season.desk.club import club_settings_page
from league.standings.season.desk.season import (
    all_time_page,
    season_link_page,
    season_list,
    season_new_page,
    season_settings_page,
)
from league.standings.season.models import RESERVED, AllTime
from league.standings.season.web import club_list


class SeasonConverter(FreeSlugConverter):
    """`<season:season_slug>`: the address of a season below its club, or that of the ranking of all
    time."""

    taken = frozenset(RESERVED) - {AllTime.SLUG}


register_converter(SeasonConverter, "season")

SEASON = f"{CLUB}/<season:season_slug>"
SEASON_DESK = f"{CLUB_DESK}/season/<slug:season_slug>"
SEASON_API = f"{CLUB_API}/seasons/<slug:season>"

pages = [
    path("clubs/", club_list, name="club_list"),
]

desk = [
    path(f"{CLUB_DESK}/seasons/", season_list, name="desk-seasons"),
    path(f"{CLUB_DESK}/seasons/new/", season_new_page, name="desk-season-new"),
    path(f"{CLUB_DESK}/seasons/all-time/", all_time_page, name="desk-all-time"),
    path(f"{SEASON_DESK}/", season_settings_page, name="desk-season"),
    path(f"{SEASON_DESK}/link/", season_link_page, name="desk-season-link"),
    path(f"{CLUB_DESK}/settings/", club_settings_page, name="desk-club"),
]

api = [
    path("v1/clubs/", Clubs.as_view({"get": "list_clubs"})),
    path(f"{CLUB_API}/", Clubs.as_view({"get": "get_club"})),
    path(f"{CLUB_API}/seasons/", Seasons.as_view({"get": "list_seasons"})),
    path(f"{SEASON_API}/", Seasons.as_view({"get": "get_season"})),
]
