"""Addresses of appeals."""

from django.urls import path

from league.core.club.urls import CLUB_API
from league.disputes.appeal.api import (
    AppealDrafts,
    Appeals,
    ClubAppeals,
    EventAppeals,
    RulingAppeals,
)
from league.disputes.appeal.web import (
    appeal_page,
    appeal_withdraw_button,
    draft_discard_button,
    draft_page,
)
from league.events.event.urls import EVENT_API

pages = [
    path("rulings/<public_id:ruling_id>/appeal/", appeal_page, name="ruling-appeal"),
    path("appeals/<public_id:appeal_id>/withdraw/", appeal_withdraw_button, name="appeal-withdraw"),
    path("appeals/drafts/<public_id:draft_id>/", draft_page, name="appeal-draft"),
    path(
        "appeals/drafts/<public_id:draft_id>/discard/",
        draft_discard_button,
        name="appeal-draft-discard",
    ),
]

api = [
    path(f"{CLUB_API}/appeals/", ClubAppeals.as_view({"get": "list_appeals"})),
    path(f"{EVENT_API}/appeals/", EventAppeals.as_view({"get": "list_event_appeals"})),
    path("v1/rulings/<public_id:ruling>/appeal/", RulingAppeals.as_view({"post": "raise_appeal"})),
    path("v1/appeals/<public_id:appeal>/withdraw/", Appeals.as_view({"post": "withdraw_appeal"})),
    path("v1/appeals/<public_id:appeal>/drafts/", Appeals.as_view({"post": "draft_decision"})),
    path(
        "v1/appeals/drafts/<public_id:draft>/agree/",
        AppealDrafts.as_view({"post": "agree_with_draft"}),
    ),
]
