"""Addresses of tables."""

from django.urls import path

from league.stages.stage.urls import STAGE_DESK
from league.stages.table.api import EventTables, TableGames, TableOutcomes
from league.stages.table.desk.challenge import challenge_page
from league.stages.table.desk.free_table import free_table_page
from league.stages.table.desk.walkover import walkover_page
from league.stages.table.web import table_page

TABLE = "tables/<public_id:table_id>"
TABLE_API = "v1/tables/<public_id:table>"

pages = [
    path(f"{TABLE}/", table_page, name="table"),
]

desk = [
    path(f"{TABLE}/walkover/", walkover_page, name="table-walkover"),
    path(f"{STAGE_DESK}/challenge/", challenge_page, name="desk-challenge"),
    path(f"{STAGE_DESK}/table/", free_table_page, name="desk-free-table"),
]

api = [
    path(f"{TABLE_API}/", EventTables.as_view({"get": "get_table"})),
    path(f"{TABLE_API}/games/", TableGames.as_view({"post": "enter_table_game"})),
    path(f"{TABLE_API}/outcome/", TableOutcomes.as_view({"post": "enter_table_outcome"})),
    path(f"{TABLE_API}/walkover/", EventTables.as_view({"post": "give_table"})),
]
