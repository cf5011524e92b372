"""Addresses of voided games."""

from django.urls import path

from league.disputes.void.api import GameVoids
from league.disputes.void.web import restore_page, void_page
from league.records.game.urls import GAME, GAME_API

pages = [
    path(f"{GAME}/void/", void_page, name="game-void"),
    path(f"{GAME}/restore/", restore_page, name="game-restore"),
]

api = [
    path(f"{GAME_API}/void/", GameVoids.as_view({"post": "void_game"})),
    path(f"{GAME_API}/void/preview/", GameVoids.as_view({"post": "preview_void"})),
]
