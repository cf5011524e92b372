"""Addresses of the API for programs."""

from django.urls import path

from league.core.club.urls import CLUB_API
from league.play.program.api.program import ClubOnlineTables, OnlineTables, Programs
from league.play.program.web import program_page

PLAY_API = "v1/play"
ONLINE_TABLE_API = "v1/online-tables/<public_id:online_table>"

account_pages = [
    path("program/", program_page, name="account-program"),
]

api = [
    path(f"{PLAY_API}/", Programs.as_view({"get": "get_own_play"})),
    path(f"{PLAY_API}/program/", Programs.as_view({"post": "mark_program"})),
    path(f"{PLAY_API}/stream/", Programs.as_view({"get": "stream_own_play"})),
    path(
        f"{CLUB_API}/online-tables/",
        ClubOnlineTables.as_view({"get": "list_online_tables", "post": "open_online_table"}),
    ),
    path(f"{ONLINE_TABLE_API}/", OnlineTables.as_view({"get": "get_online_table"})),
    path(f"{ONLINE_TABLE_API}/entries/", OnlineTables.as_view({"get": "get_online_entries"})),
    path(f"{ONLINE_TABLE_API}/stream/", OnlineTables.as_view({"get": "stream_online_table"})),
    path(f"{ONLINE_TABLE_API}/sit/", OnlineTables.as_view({"post": "sit_down"})),
    path(f"{ONLINE_TABLE_API}/stand/", OnlineTables.as_view({"post": "stand_up"})),
    path(f"{ONLINE_TABLE_API}/automatic/", OnlineTables.as_view({"post": "add_automatic_player"})),
    path(f"{ONLINE_TABLE_API}/begin/", OnlineTables.as_view({"post": "begin_online_game"})),
    path(f"{ONLINE_TABLE_API}/acts/", OnlineTables.as_view({"post": "act"})),
    path(f"{ONLINE_TABLE_API}/time-up/", OnlineTables.as_view({"post": "play_on"})),
    path(f"{ONLINE_TABLE_API}/rematch/", OnlineTables.as_view({"post": "play_again"})),
]
