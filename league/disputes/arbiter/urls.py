"""Addresses of arbiters from outside."""

from django.urls import path

from league.disputes.arbiter.api import ArbiterInvitations, ArbiterLinks, GameArbiters
from league.disputes.arbiter.web import (
    arbiter_account_page,
    arbiter_answer,
    arbiter_end,
    arbiter_invitation_page,
    arbiter_page,
)
from league.records.game.urls import GAME, GAME_API

INVITATION = "arbiter/invitations/<public_id:invitation_id>"

pages = [
    path(f"{GAME}/arbiter/", arbiter_page, name="game-arbiter"),
    path(f"{INVITATION}/answer/", arbiter_answer, name="arbiter-answer"),
    path(f"{INVITATION}/end/", arbiter_end, name="arbiter-end"),
    path("arbiter/<str:token>/", arbiter_invitation_page, name="arbiter-invitation"),
    path("arbiter/<str:token>/account/<str:signed>/", arbiter_account_page, name="arbiter-account"),
]

ARBITER_API = "v1/arbiter-invitations/<public_id:invitation>"

api = [
    path(
        f"{GAME_API}/arbiter-invitations/",
        GameArbiters.as_view({"get": "list_arbiters", "post": "invite_arbiter"}),
    ),
    path(f"{ARBITER_API}/", ArbiterInvitations.as_view({"get": "get_arbiter"})),
    path(f"{ARBITER_API}/answers/", ArbiterInvitations.as_view({"post": "answer_arbiter"})),
    path(f"{ARBITER_API}/end/", ArbiterInvitations.as_view({"post": "end_arbiter"})),
    path(
        "v1/arbiter-links/<str:token>/acceptance/", ArbiterLinks.as_view({"post": "accept_arbiter"})
    ),
]
