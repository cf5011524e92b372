"""Addresses of the scorer."""

from django.urls import path

from league.sheets.scorer.web import game_score_page, score_page, score_worker

pages = [
    path("score/sw.js", score_worker, name="score-worker"),
    path("score/<public_id:table_id>/", score_page, name="score"),
    path("score/games/<public_id:open_game>/", game_score_page, name="score-game"),
]
