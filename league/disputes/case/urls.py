"""Addresses of the case of a game."""

from django.urls import path

from league.disputes.case.web.case import case_page
from league.disputes.case.web.keys import case_keys_page
from league.records.game.urls import GAME

pages = [
    path(f"{GAME}/case/", case_page, name="game-case"),
    path(f"{GAME}/case/keys/", case_keys_page, name="game-case-keys"),
]
