"""Addresses of hearings."""

from django.urls import path

from league.disputes.hearing.api import GameHearings
from league.disputes.hearing.web import hearing_page
from league.records.game.urls import GAME, GAME_API

pages = [
    path(f"{GAME}/hear/", hearing_page, name="game-hear"),
]

api = [
    path(f"{GAME_API}/hearings/", GameHearings.as_view({"post": "open_hearing"})),
]
