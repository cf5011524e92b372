"""Addresses of the decision on rounds that a correction would change."""

from django.urls import path

from league.disputes.otherwise.api import RoundsOtherwise
from league.disputes.otherwise.desk import otherwise_page
from league.stages.stage.urls import STAGE_API, STAGE_DESK

desk = [
    path(f"{STAGE_DESK}/otherwise/", otherwise_page, name="desk-stage-otherwise"),
]

api = [
    path(
        f"{STAGE_API}/otherwise/",
        RoundsOtherwise.as_view({"get": "list_otherwise", "post": "keep_rounds"}),
    ),
]
