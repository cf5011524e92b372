"""Addresses of players."""

from league.core.club.urls import CLUB

PLAYER = "players/<public_id:player_id>"
PLAYER_DESK = f"{CLUB}/{PLAYER}"
PLAYER_API = "players/<public_id:player>"
