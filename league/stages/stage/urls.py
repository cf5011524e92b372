"""Addresses of stages."""

from django.urls import path

from league.events.event.urls import EVENT, EVENT_API, EVENT_DESK
from league.stages.stage.api.stage import OneStage, Seedings, Stages
from league.stages.stage.desk.stage import (
    stage_desk_page,
    stage_drop_page,
    stage_new_page,
    stage_places_page,
    stage_seeding_page,
)
from league.stages.stage.web import (
    bracket_page,
    stage_file_page,
    stage_meetings_page,
    stage_page,
    stage_ranking_page,
    stage_rounds_page,
)

STAGE = f"{EVENT}/stages/<int:stage>"
STAGE_DESK = f"{EVENT_DESK}/stages/<int:stage>"
STAGE_API = f"{EVENT_API}/stages/<int:stage>"

pages = [
    path(f"{STAGE}/", stage_page, name="stage"),
    path(f"{STAGE}/stage.json", stage_file_page, name="stage-file"),
    path(f"{STAGE}/ranking/", stage_ranking_page, name="stage-ranking"),
    path(f"{STAGE}/bracket/", bracket_page, name="bracket"),
    path(f"{STAGE}/rounds/", stage_rounds_page, name="stage-rounds"),
    path(f"{STAGE}/meetings/", stage_meetings_page, name="stage-meetings"),
]

desk = [
    path(f"{EVENT_DESK}/stages/new/", stage_new_page, name="desk-stage-new"),
    path(f"{STAGE_DESK}/", stage_desk_page, name="desk-stage"),
    path(f"{STAGE_DESK}/drop/", stage_drop_page, name="desk-stage-drop"),
    path(f"{STAGE_DESK}/places/", stage_places_page, name="desk-stage-places"),
    path(f"{STAGE_DESK}/seeding/", stage_seeding_page, name="desk-stage-seeding"),
]

api = [
    path(f"{EVENT_API}/stages/", Stages.as_view({"get": "list_stages", "post": "create_stage"})),
    path(f"{STAGE_API}/", OneStage.as_view({"get": "get_stage", "patch": "change_stage"})),
    path(f"{STAGE_API}/status/", OneStage.as_view({"post": "move_stage"})),
    path(f"{STAGE_API}/seeding/", Seedings.as_view({"get": "list_seeding"})),
]
