"""Addresses of claims of players."""

from django.urls import path

from league.core.claim.desk import claim_code_page, claim_list, claim_slips, claim_undo
from league.core.claim.web import claim_leave_page, claim_page, claim_player_page
from league.core.club.urls import CLUB
from league.core.player.urls import PLAYER_DESK

pages = [
    path("claim/", claim_page, name="claim"),
    path("claim/leave/", claim_leave_page, name="claim-leave"),
    path("claim/<slug:code>/", claim_player_page, name="claim-player"),
]

desk = [
    path(f"{CLUB}/claims/", claim_list, name="claims"),
    path(f"{CLUB}/claims/slips/", claim_slips, name="claim-slips"),
    path(f"{CLUB}/claims/<public_id:claim_id>/undo/", claim_undo, name="claim-undo"),
    path(f"{PLAYER_DESK}/code/", claim_code_page, name="claim-code"),
]
