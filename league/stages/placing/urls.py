"""Addresses of rankings of stages."""

from django.urls import path

from league.stages.placing.api import Placings
from league.stages.stage.urls import STAGE_API

api = [
    path(f"{STAGE_API}/ranking/", Placings.as_view({"get": "list_stage_ranking"})),
    path(f"{STAGE_API}/meetings/", Placings.as_view({"get": "get_stage_meetings"})),
    path(f"{STAGE_API}/labels/", Placings.as_view({"get": "list_label_ranking"})),
    path(f"{STAGE_API}/file/", Placings.as_view({"get": "get_stage_file"})),
    path(f"{STAGE_API}/bracket/", Placings.as_view({"get": "get_stage_bracket"})),
]
