"""Addresses of sheets."""

from django.urls import path

from league.sheets.sheet.api import (
    OpenGameGains,
    OpenGames,
    SeasonOpenGames,
    SheetBranches,
    TableOpening,
)
from league.sheets.sheet.desk import slips_page
from league.sheets.sheet.web.season_game import (
    game_device_end,
    game_write_page,
    season_write_page,
    write_where_page,
)
from league.sheets.sheet.web.sheet import branch_agreement, sheet_confirm, sheet_page
from league.sheets.sheet.web.write import device_end, write_page
from league.stages.round.urls import ROUND_DESK
from league.stages.table.urls import TABLE, TABLE_API
from league.standings.season.urls import SEASON, SEASON_API

OPEN_GAME = "open-games/<public_id:open_game>"
OPEN_GAME_API = "v1/open-games/<public_id:open_game>"

pages = [
    path(f"{SEASON}/write/", season_write_page, name="season-write"),
    path(f"{TABLE}/write/", write_page, name="table-write"),
    path(f"{TABLE}/write/<public_id:device_id>/end/", device_end, name="table-device-end"),
    path(f"{OPEN_GAME}/", sheet_page, name="open-game"),
    path(f"{OPEN_GAME}/write/", game_write_page, name="game-write"),
    path(f"{OPEN_GAME}/write/<public_id:device_id>/end/", game_device_end, name="game-device-end"),
    path(f"{OPEN_GAME}/confirm/", sheet_confirm, name="open-game-confirm"),
    path(f"{OPEN_GAME}/branches/<public_id:branch>/agree/", branch_agreement, name="branch-agree"),
    path("write/", write_where_page, name="write-where"),
]

desk = [
    path(f"{ROUND_DESK}/slips/", slips_page, name="desk-slips"),
]

api = [
    path(f"{TABLE_API}/open-game/", TableOpening.as_view({"post": "open_table_game"})),
    path(
        f"{SEASON_API}/open-games/",
        SeasonOpenGames.as_view({"get": "list_open_games", "post": "open_season_game"}),
    ),
    path(f"{OPEN_GAME_API}/", OpenGames.as_view({"get": "get_open_game"})),
    path(
        f"{OPEN_GAME_API}/entries/", OpenGames.as_view({"get": "get_entries", "post": "add_entry"})
    ),
    path(
        f"{OPEN_GAME_API}/branches/",
        SheetBranches.as_view({"get": "list_branches", "post": "keep_branch"}),
    ),
    path(
        f"{OPEN_GAME_API}/branches/<public_id:branch>/agreement/",
        SheetBranches.as_view({"post": "agree_with_branch"}),
    ),
    path(f"{OPEN_GAME_API}/gains/", OpenGameGains.as_view({"get": "get_gains"})),
    path(f"{OPEN_GAME_API}/seal/", OpenGames.as_view({"post": "seal_open_game"})),
]
