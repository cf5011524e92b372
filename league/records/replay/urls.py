"""Addresses of replays."""

from django.urls import path

from league.records.replay.web import replay, replayed

pages = [
    path("replay/", replay, name="replay"),
    path("replay/<str:packed>/", replayed, name="replayed"),
]
