"""Addresses of draws."""

from django.urls import path

from league.events.event.urls import EVENT_API
from league.stages.draw.api import Draws, EventDraws
from league.stages.draw.web import draw_file_page, draw_page

pages = [
    path("draws/<public_id:draw>/", draw_page, name="draw"),
    path("draws/<public_id:draw>/draw.json", draw_file_page, name="draw-file"),
]

api = [
    path(f"{EVENT_API}/draws.jsonl", EventDraws.as_view({"get": "get_event_draws"})),
    path("v1/draws/<public_id:draw>/", Draws.as_view({"get": "get_draw"})),
]
