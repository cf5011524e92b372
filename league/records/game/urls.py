"""Addresses of games."""

from django.urls import path

from league.records.game.api import Games
from league.records.game.web.game import game_notation_file, game_page, game_record_file

GAME = "games/<public_id:game_id>"
GAME_API = "v1/games/<public_id:game>"

pages = [
    path(f"{GAME}/", game_page, name="game"),
    path(f"{GAME}/record.json", game_record_file, name="game-record"),
    path(f"{GAME}/record.cups", game_notation_file, name="game-notation"),
]

api = [
    path(f"{GAME_API}/", Games.as_view({"get": "get_game"})),
    path(f"{GAME_API}/analysis/", Games.as_view({"get": "get_game_analysis"})),
    path(f"{GAME_API}/difference/", Games.as_view({"get": "get_game_difference"})),
    path(f"{GAME_API}/record/", Games.as_view({"get": "get_game_record"})),
    path(f"{GAME_API}/notation/", Games.as_view({"get": "get_game_notation"})),
]
