"""Addresses of merging and erasing players."""

from django.urls import path

from league.core.player.urls import PLAYER_DESK
from league.site.erasure.desk import player_erase_page, player_merge_page

desk = [
    path(f"{PLAYER_DESK}/merge/", player_merge_page, name="player-merge"),
    path(f"{PLAYER_DESK}/erase/", player_erase_page, name="player-erase"),
]
