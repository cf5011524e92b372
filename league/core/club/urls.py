"""Addresses of clubs."""

from django.urls import path

from league.core.club.desk.club import club_found_page

CLUB = "clubs/<slug:club_slug>"
CLUB_DESK = f"{CLUB}/desk"
CLUB_API = "v1/clubs/<slug:club>"

desk = [
    path("service/club/", club_found_page, name="club-found"),
]
