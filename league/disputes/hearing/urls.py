"""Addresses of hearings."""

from django.urls import path

from league.core.club.urls import CLUB_API
from league.disputes.hearing.api import ClubHearings, EventHearings, GameHearings
from league.disputes.hearing.web import hearing_page
from league.events.event.urls import EVENT_API
from league.records.game.urls import GAME, GAME_API

pages = [
    path(f"{GAME}/hear/", hearing_page, name="game-hear"),
]

api = [
    path(f"{CLUB_API}/hearings/", ClubHearings.as_view({"get": "list_hearings"})),
    path(f"{EVENT_API}/hearings/", EventHearings.as_view({"get": "list_event_hearings"})),
    path(f"{GAME_API}/hearings/", GameHearings.as_view({"post": "open_hearing"})),
]
