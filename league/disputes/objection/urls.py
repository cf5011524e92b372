"""Addresses of objections."""

from django.urls import path

from league.core.club.urls import CLUB_API, CLUB_DESK
from league.disputes.objection.api import EventObjections, GameObjections, ObjectionEnds, Objections
from league.disputes.objection.desk import event_objection_list, objection_list
from league.disputes.objection.web import objection_page, objection_withdraw_button
from league.events.event.urls import EVENT_API, EVENT_DESK
from league.records.game.urls import GAME, GAME_API

pages = [
    path(f"{GAME}/object/", objection_page, name="game-object"),
    path(
        "objections/<public_id:objection_id>/withdraw/",
        objection_withdraw_button,
        name="objection-withdraw",
    ),
]

desk = [
    path(f"{EVENT_DESK}/objections/", event_objection_list, name="desk-event-objections"),
    path(f"{CLUB_DESK}/objections/", objection_list, name="desk-objections"),
]

api = [
    path(f"{GAME_API}/objections/", GameObjections.as_view({"post": "raise_objection"})),
    path(f"{CLUB_API}/objections/", Objections.as_view({"get": "list_objections"})),
    path(
        "v1/objections/<public_id:objection>/end/", ObjectionEnds.as_view({"post": "end_objection"})
    ),
    path(f"{EVENT_API}/objections/", EventObjections.as_view({"get": "list_event_objections"})),
]
