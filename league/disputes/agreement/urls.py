"""Addresses of proposals."""

from django.urls import path

from league.disputes.agreement.api import GameProposals, Proposals
from league.disputes.agreement.web import proposal_page
from league.records.game.urls import GAME_API

pages = [
    path("proposals/<public_id:proposal_id>/", proposal_page, name="proposal"),
]

api = [
    path(f"{GAME_API}/proposals/", GameProposals.as_view({"post": "propose_correction"})),
    path("v1/proposals/<public_id:proposal>/", Proposals.as_view({"get": "get_proposal"})),
    path("v1/proposals/<public_id:proposal>/agreements/", Proposals.as_view({"post": "agree"})),
]
