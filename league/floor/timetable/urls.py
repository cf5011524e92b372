"""Addresses of timetables."""

from django.urls import path

from league.events.event.urls import EVENT, EVENT_API, EVENT_DESK
from league.floor.timetable.api import Timetables
from league.floor.timetable.desk import (
    timetable_ask_page,
    timetable_move_page,
    timetable_page,
    timetable_publish_page,
    timetable_take_back_page,
)
from league.floor.timetable.web import timetable_print, timetable_shown

TIMETABLE_DESK = f"{EVENT_DESK}/timetable"
TIMETABLE_API = f"{EVENT_API}/timetables/<public_id:timetable>"

pages = [
    path(f"{EVENT}/timetable/", timetable_shown, name="timetable"),
    path(f"{EVENT}/timetable/print/", timetable_print, name="timetable-print"),
]

desk = [
    path(f"{TIMETABLE_DESK}/", timetable_page, name="desk-timetable"),
    path(f"{TIMETABLE_DESK}/ask/", timetable_ask_page, name="desk-timetable-ask"),
    path(f"{TIMETABLE_DESK}/move/", timetable_move_page, name="desk-timetable-move"),
    path(f"{TIMETABLE_DESK}/publish/", timetable_publish_page, name="desk-timetable-publish"),
    path(f"{TIMETABLE_DESK}/take-back/", timetable_take_back_page, name="desk-timetable-take-back"),
]

api = [
    path(
        f"{EVENT_API}/timetables/",
        Timetables.as_view({"get": "list_timetables", "post": "ask_timetable"}),
    ),
    path(f"{TIMETABLE_API}/", Timetables.as_view({"get": "get_timetable"})),
    path(f"{TIMETABLE_API}/tables/", Timetables.as_view({"get": "list_timetable_tables"})),
    path(f"{TIMETABLE_API}/moves/", Timetables.as_view({"post": "move_timetable_tables"})),
    path(f"{TIMETABLE_API}/status/", Timetables.as_view({"post": "move_timetable"})),
]
