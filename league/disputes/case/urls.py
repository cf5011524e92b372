"""The address of the case of a game."""

from django.urls import path

from league.disputes.case.web import case_page
from league.records.game.urls import GAME

pages = [
    path(f"{GAME}/case/", case_page, name="game-case"),
]
