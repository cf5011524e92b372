"""Addresses of quiet hours and holidays."""

from django.urls import path

from league.play.playing_time.web import holiday_end_button, playing_time_page

pages = [
    path("account/playing/", playing_time_page, name="playing-time"),
    path(
        "account/playing/holidays/<public_id:holiday>/end/", holiday_end_button, name="holiday-end"
    ),
]
