"""Addresses of files of games."""

from django.urls import path

from league.core.club.urls import CLUB_API
from league.records.file.api import ClubGames

api = [
    path(f"{CLUB_API}/games/", ClubGames.as_view({"get": "list_games", "post": "enter_games"})),
]
