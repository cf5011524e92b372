"""Addresses of rulings."""

from django.urls import path

from league.core.club.urls import CLUB, CLUB_API
from league.disputes.ruling.api import ClubRulings, GameRulings, Rulings
from league.disputes.ruling.web.listing import ruling_detail, ruling_list
from league.disputes.ruling.web.ruling import ruling_page
from league.records.game.urls import GAME, GAME_API

pages = [
    path(f"{GAME}/rule/<slug:verb>/", ruling_page, name="game-rule"),
    path(f"{CLUB}/rulings/", ruling_list, name="club-rulings"),
    path("rulings/<public_id:ruling_id>/", ruling_detail, name="ruling"),
]

api = [
    path(f"{CLUB_API}/rulings/", ClubRulings.as_view({"get": "list_rulings"})),
    path("v1/rulings/<public_id:ruling>/", Rulings.as_view({"get": "get_ruling"})),
    path(f"{GAME_API}/rulings/", GameRulings.as_view({"post": "make_ruling"})),
    path(f"{GAME_API}/rulings/preview/", GameRulings.as_view({"post": "preview_ruling"})),
]
