"""Addresses of devices that write."""

from django.urls import path

from league.events.event.urls import EVENT_API, EVENT_DESK
from league.sheets.device.api.device import Codes, Devices, GameDevices, SeasonCodes
from league.sheets.device.web import code_page, season_code_page
from league.sheets.sheet.urls import OPEN_GAME_API
from league.stages.table.urls import TABLE_API
from league.standings.season.urls import SEASON, SEASON_API

pages = [
    path(f"{SEASON}/write/codes/", season_code_page, name="season-codes"),
]

desk = [
    path(f"{EVENT_DESK}/codes/", code_page, name="desk-codes"),
]

api = [
    path(f"{EVENT_API}/codes/", Codes.as_view({"post": "take_code"})),
    path(f"{TABLE_API}/devices/", Devices.as_view({"get": "list_devices", "post": "make_device"})),
    path(
        f"{TABLE_API}/devices/<public_id:device>/status/", Devices.as_view({"post": "end_device"})
    ),
    path(
        f"{OPEN_GAME_API}/devices/",
        GameDevices.as_view({"get": "list_game_devices", "post": "make_game_device"}),
    ),
    path(
        f"{OPEN_GAME_API}/devices/<public_id:device>/status/",
        GameDevices.as_view({"post": "end_game_device"}),
    ),
    path(f"{SEASON_API}/codes/", SeasonCodes.as_view({"post": "take_season_code"})),
]
