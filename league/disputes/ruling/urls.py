"""Addresses of rulings."""

from django.urls import path

from league.core.club.urls import CLUB
from league.disputes.ruling.web.listing import ruling_detail, ruling_list
from league.disputes.ruling.web.ruling import ruling_page
from league.records.game.urls import GAME

pages = [
    path(f"{GAME}/rule/<slug:verb>/", ruling_page, name="game-rule"),
    path(f"{CLUB}/rulings/", ruling_list, name="club-rulings"),
    path("rulings/<public_id:ruling_id>/", ruling_detail, name="ruling"),
]
