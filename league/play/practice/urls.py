"""Addresses of practice."""

from django.urls import path

from league.play.practice.web import practice_game_page, practice_page

pages = [
    path("play/practice/", practice_page, name="practice"),
    path("play/practice/<str:token>/", practice_game_page, name="practice-game"),
]
