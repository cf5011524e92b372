"""The address of a hearing."""

from django.urls import path

from league.disputes.hearing.web import hearing_page
from league.records.game.urls import GAME

pages = [
    path(f"{GAME}/hear/", hearing_page, name="game-hear"),
]
