"""Addresses of corrections."""

from django.urls import path

from league.disputes.correction.api import EntryPreviews, GameCorrections
from league.disputes.correction.desk import entry_counts_page
from league.disputes.correction.web.correction import correction_page, difference_page
from league.events.entry.urls import ENTRY_API, ENTRY_DESK
from league.records.game.urls import GAME, GAME_API

pages = [
    path(f"{GAME}/correct/", correction_page, name="game-correct"),
    path(f"{GAME}/propose/", correction_page, {"proposing": True}, name="game-propose"),
    path(f"{GAME}/difference/", difference_page, name="game-difference"),
]

desk = [
    path(f"{ENTRY_DESK}/counts/", entry_counts_page, name="desk-entry-counts"),
]

api = [
    path(f"{GAME_API}/corrections/", GameCorrections.as_view({"post": "correct_game"})),
    path(
        f"{GAME_API}/corrections/preview/", GameCorrections.as_view({"post": "preview_correction"})
    ),
    path(f"{ENTRY_API}/preview/", EntryPreviews.as_view({"post": "preview_entry"})),
]
