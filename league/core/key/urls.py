"""Addresses of API keys."""

from django.urls import path

from league.core.club.urls import CLUB_DESK
from league.core.key.desk import key_list, key_revoke_page

desk = [
    path(f"{CLUB_DESK}/keys/", key_list, name="desk-keys"),
    path(f"{CLUB_DESK}/keys/<public_id:key_id>/", key_revoke_page, name="desk-key"),
]
