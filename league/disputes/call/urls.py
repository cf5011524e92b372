"""Addresses of calls for the arbiter."""

from django.urls import path

from league.core.club.urls import CLUB_API, CLUB_DESK
from league.disputes.call.api import Calls, ClubCalls, EventCalls, TableRulings
from league.disputes.call.desk import call_list, event_call_list
from league.disputes.call.web import online_call, online_take_back, ruling_page
from league.events.event.urls import EVENT_API, EVENT_DESK
from league.play.online_table.urls import ONLINE_TABLE
from league.sheets.sheet.urls import OPEN_GAME, OPEN_GAME_API

pages = [
    path(f"{OPEN_GAME}/call/", ruling_page, name="open-game-call"),
    path(f"{ONLINE_TABLE}/call/", online_call, name="online-table-call"),
    path(f"{ONLINE_TABLE}/call/take-back/", online_take_back, name="online-table-call-back"),
]

desk = [
    path(f"{EVENT_DESK}/calls/", event_call_list, name="desk-event-calls"),
    path(f"{CLUB_DESK}/calls/", call_list, name="desk-calls"),
]

api = [
    path(f"{OPEN_GAME_API}/call/", Calls.as_view({"get": "get_call", "post": "make_call"})),
    path(f"{OPEN_GAME_API}/call/end/", Calls.as_view({"post": "take_call_back"})),
    path(f"{OPEN_GAME_API}/ruling/", TableRulings.as_view({"post": "rule_on_call"})),
    path(f"{CLUB_API}/calls/", ClubCalls.as_view({"get": "list_calls"})),
    path(f"{EVENT_API}/calls/", EventCalls.as_view({"get": "list_event_calls"})),
]
