"""Addresses of halls."""

from django.urls import path

from league.events.entry.urls import ENTRY_API
from league.events.event.urls import EVENT, EVENT_API, EVENT_DESK
from league.floor.hall.api import AwayTimes, Places
from league.floor.hall.desk.hall import (
    away_list,
    away_page,
    hall_desk,
    place_drop_page,
    place_page,
    slot_drop_page,
)
from league.floor.hall.web import hall_page

pages = [
    path(f"{EVENT}/hall/", hall_page, name="hall"),
]

desk = [
    path(f"{EVENT_DESK}/hall/", hall_desk, name="desk-hall"),
    path(f"{EVENT_DESK}/hall/places/<public_id:place_id>/", place_page, name="desk-place"),
    path(
        f"{EVENT_DESK}/hall/places/<public_id:place_id>/drop/",
        place_drop_page,
        name="desk-place-drop",
    ),
    path(
        f"{EVENT_DESK}/hall/times/<public_id:slot_id>/drop/", slot_drop_page, name="desk-slot-drop"
    ),
    path(f"{EVENT_DESK}/hall/away/", away_list, name="desk-away"),
    path(f"{EVENT_DESK}/hall/away/<public_id:entry_id>/", away_page, name="desk-away-entry"),
]

api = [
    path(f"{ENTRY_API}/away/", AwayTimes.as_view({"post": "set_away"})),
    path(f"{EVENT_API}/places/", Places.as_view({"get": "list_places", "post": "add_places"})),
    path(
        f"{EVENT_API}/places/<public_id:place>/",
        Places.as_view({"get": "get_place", "patch": "change_place"}),
    ),
    path(f"{EVENT_API}/places/<public_id:place>/status/", Places.as_view({"post": "drop_place"})),
    path(f"{EVENT_API}/slots/", Places.as_view({"get": "list_slots", "post": "add_slots"})),
    path(f"{EVENT_API}/slots/<public_id:slot>/", Places.as_view({"get": "get_slot"})),
    path(f"{EVENT_API}/slots/<public_id:slot>/status/", Places.as_view({"post": "drop_slot"})),
    path(f"{EVENT_API}/away/", AwayTimes.as_view({"get": "list_away"})),
]
