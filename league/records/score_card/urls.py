"""Addresses of score cards."""

from django.urls import path

from league.records.score_card.web import score_card_page

pages = [
    path("score-cards/<slug:kind>/", score_card_page, name="score-card"),
]
