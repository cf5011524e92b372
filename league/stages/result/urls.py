"""Addresses of results."""

from django.urls import path

from league.stages.result.web.game_entry import game_entry_page
from league.stages.result.web.result import result_page
from league.stages.table.urls import TABLE
from league.standings.season.urls import SEASON

pages = [
    path(f"{SEASON}/enter/", game_entry_page, name="game-entry"),
    path(f"{TABLE}/result/", result_page, name="table-result"),
]
