"""Addresses of practice."""

from django.urls import path

from league.play.practice.web import lesson_page, practice_game_page, practice_page

pages = [
    path("play/practice/", practice_page, name="practice"),
    path("play/practice/lesson/", lesson_page, name="lesson"),
    path("play/practice/<str:token>/", practice_game_page, name="practice-game"),
]
