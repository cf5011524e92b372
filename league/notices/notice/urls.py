"""Addresses of notices."""

from django.urls import path

from league.core.club.urls import CLUB_API
from league.notices.notice.api import Notices
from league.notices.notice.web import event_letters_stop_page, my_notices

pages = [
    path("me/notices/", my_notices, name="my-notices"),
    path("entries/letters/<str:token>/", event_letters_stop_page, name="event-letters-stop"),
]

api = [
    path(f"{CLUB_API}/notices/", Notices.as_view({"get": "list_notices"})),
    path(f"{CLUB_API}/notices/seen/", Notices.as_view({"post": "see_notices"})),
]
