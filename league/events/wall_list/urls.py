"""Addresses of the code on the wall."""

from django.urls import path

from league.events.event.urls import EVENT, EVENT_API, EVENT_DESK
from league.events.wall_list.api import ClaimRequests, Walls
from league.events.wall_list.desk import claim_request_step, event_claims_page
from league.events.wall_list.web import event_claim_page, event_wall_page

pages = [
    path(f"{EVENT}/claim/", event_claim_page, name="event-claim"),
    path(f"{EVENT}/claim/<slug:code>/", event_wall_page, name="event-wall"),
]

desk = [
    path(f"{EVENT_DESK}/claims/", event_claims_page, name="desk-claims"),
    path(
        f"{EVENT_DESK}/claims/<public_id:request_id>/", claim_request_step, name="desk-claim-step"
    ),
]

api = [
    path(f"{EVENT_API}/wall/", Walls.as_view({"get": "get_wall", "post": "renew_wall"})),
    path(f"{EVENT_API}/claims/", ClaimRequests.as_view({"get": "list_claim_requests"})),
    path(
        f"{EVENT_API}/claims/<public_id:claim_request>/status/",
        ClaimRequests.as_view({"post": "answer_claim_request"}),
    ),
]
