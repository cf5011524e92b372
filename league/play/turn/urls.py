"""The address of an account's own games."""

from django.urls import path

from league.play.turn.web import my_games_page

pages = [
    path("me/games/", my_games_page, name="my-games"),
]
