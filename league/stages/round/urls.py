"""Addresses of rounds and their draws."""

from django.urls import path

from league.stages.round.api import Rounds
from league.stages.round.desk.round import round_page, round_publish_page
from league.stages.round.desk.seating import round_change_page
from league.stages.round.desk.take_back import round_take_back_page, stage_set_back_page
from league.stages.stage.urls import STAGE, STAGE_API, STAGE_DESK
from league.stages.stage.web import retracted_round_page, stage_round_page

ROUND = f"{STAGE}/rounds/<int:number>"
ROUND_DESK = f"{STAGE_DESK}/rounds/<int:number>"
ROUND_API = f"{STAGE_API}/rounds/<int:number>"

pages = [
    path(f"{ROUND}/", stage_round_page, name="stage-round"),
    path(f"{ROUND}/taken-back/<public_id:round_id>/", retracted_round_page, name="retracted-round"),
]

desk = [
    path(f"{STAGE_DESK}/set-back/", stage_set_back_page, name="desk-stage-set-back"),
    path(f"{ROUND_DESK}/", round_page, name="desk-round"),
    path(f"{ROUND_DESK}/publish/", round_publish_page, name="desk-round-publish"),
    path(f"{ROUND_DESK}/take-back/", round_take_back_page, name="desk-round-take-back"),
    path(f"{ROUND_DESK}/change/", round_change_page, name="desk-round-change"),
]

api = [
    path(f"{STAGE_API}/challenges/", Rounds.as_view({"post": "make_challenge"})),
    path(f"{STAGE_API}/tables/", Rounds.as_view({"post": "set_up_table"})),
    path(f"{STAGE_API}/rounds/", Rounds.as_view({"get": "list_rounds", "post": "ask_round"})),
    path(f"{ROUND_API}/", Rounds.as_view({"get": "get_round"})),
    path(f"{ROUND_API}/tables/", Rounds.as_view({"get": "list_tables"})),
    path(f"{ROUND_API}/status/", Rounds.as_view({"post": "move_round"})),
    path(f"{ROUND_API}/seating/", Rounds.as_view({"post": "seat_round"})),
]
