"""Addresses of players, as their games show them."""

from django.urls import path

from league.core.club.urls import CLUB, CLUB_API
from league.core.player.urls import PLAYER, PLAYER_API, PLAYER_DESK
from league.standings.player.api import Claims, PlayerInRanking, Players
from league.standings.player.desk import (
    player_desk,
    player_link_page,
    player_list,
    player_part_page,
    player_rename_page,
)
from league.standings.player.web.own import my_page
from league.standings.player.web.player import player_page
from league.standings.ranking.urls import ALL_TIME_API
from league.standings.season.urls import SEASON_API

pages = [
    path("me/", my_page, name="my-page"),
    path(f"{PLAYER}/", player_page, name="player"),
]

desk = [
    path(f"{CLUB}/players/", player_list, name="club-players"),
    path(f"{PLAYER_DESK}/", player_desk, name="club-player"),
    path(f"{PLAYER_DESK}/rename/", player_rename_page, name="player-rename"),
    path(f"{PLAYER_DESK}/link/", player_link_page, name="player-link"),
    path(f"{PLAYER_DESK}/part/", player_part_page, name="player-part"),
]

api = [
    path(f"{SEASON_API}/{PLAYER_API}/standing/", PlayerInRanking.as_view({"get": "get_standing"})),
    path(f"{SEASON_API}/{PLAYER_API}/points/", PlayerInRanking.as_view({"get": "list_points"})),
    path(f"{SEASON_API}/{PLAYER_API}/ranks/", PlayerInRanking.as_view({"get": "list_ranks"})),
    path(
        f"{SEASON_API}/{PLAYER_API}/ratings/", PlayerInRanking.as_view({"get": "list_rating_days"})
    ),
    path(f"{SEASON_API}/{PLAYER_API}/rivals/", PlayerInRanking.as_view({"get": "list_rivals"})),
    path(
        f"{ALL_TIME_API}/{PLAYER_API}/standing/",
        PlayerInRanking.as_view({"get": "get_all_time_standing"}),
    ),
    path(
        f"{ALL_TIME_API}/{PLAYER_API}/points/",
        PlayerInRanking.as_view({"get": "list_all_time_points"}),
    ),
    path(
        f"{ALL_TIME_API}/{PLAYER_API}/ranks/",
        PlayerInRanking.as_view({"get": "list_all_time_ranks"}),
    ),
    path(
        f"{ALL_TIME_API}/{PLAYER_API}/ratings/",
        PlayerInRanking.as_view({"get": "list_all_time_rating_days"}),
    ),
    path(
        f"{ALL_TIME_API}/{PLAYER_API}/rivals/",
        PlayerInRanking.as_view({"get": "list_all_time_rivals"}),
    ),
    path(f"{CLUB_API}/players/", Players.as_view({"get": "list_players"})),
    path(f"{CLUB_API}/claims/", Claims.as_view({"get": "list_claims"})),
    path(f"{CLUB_API}/claims/codes/", Claims.as_view({"post": "make_claim_codes"})),
    path(f"{CLUB_API}/claims/<public_id:claim>/status/", Claims.as_view({"post": "end_claim"})),
    path(f"v1/{PLAYER_API}/", Players.as_view({"get": "get_player"})),
]
