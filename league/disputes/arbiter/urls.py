"""Addresses of arbiters from outside."""

from django.urls import path

from league.disputes.arbiter.web import (
    arbiter_account_page,
    arbiter_answer,
    arbiter_end,
    arbiter_invitation_page,
    arbiter_page,
)
from league.records.game.urls import GAME

INVITATION = "arbiter/invitations/<public_id:invitation_id>"

pages = [
    path(f"{GAME}/arbiter/", arbiter_page, name="game-arbiter"),
    path(f"{INVITATION}/answer/", arbiter_answer, name="arbiter-answer"),
    path(f"{INVITATION}/end/", arbiter_end, name="arbiter-end"),
    path("arbiter/<str:token>/", arbiter_invitation_page, name="arbiter-invitation"),
    path("arbiter/<str:token>/account/<str:signed>/", arbiter_account_page, name="arbiter-account"),
]
