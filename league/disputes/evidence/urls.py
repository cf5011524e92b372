"""The address of the keys of a disputed game."""

from django.urls import path

from league.disputes.evidence.web import case_keys_page
from league.records.game.urls import GAME

pages = [
    path(f"{GAME}/case/keys/", case_keys_page, name="game-case-keys"),
]
