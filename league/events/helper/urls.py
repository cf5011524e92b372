"""Addresses of helpers."""

from django.urls import path

from league.events.event.urls import EVENT_API, EVENT_DESK
from league.events.helper.api import Helpers
from league.events.helper.desk import helper_code_shown, helper_end, helper_list, helper_uninvite
from league.events.helper.web import helper_code_page, helper_invitation_page

pages = [
    path("helpers/", helper_code_page, name="helper-code"),
    path("helpers/<str:token>/", helper_invitation_page, name="helper-invitation"),
]

desk = [
    path(f"{EVENT_DESK}/helpers/", helper_list, name="desk-helpers"),
    path(
        f"{EVENT_DESK}/helpers/<public_id:invitation_id>/",
        helper_code_shown,
        name="desk-helper-code",
    ),
    path(
        f"{EVENT_DESK}/helpers/<public_id:invitation_id>/withdraw/",
        helper_uninvite,
        name="desk-helper-uninvite",
    ),
    path(
        f"{EVENT_DESK}/helpers/<public_id:user_id>/<slug:role>/end/",
        helper_end,
        name="desk-helper-end",
    ),
]

api = [
    path(
        f"{EVENT_API}/helpers/", Helpers.as_view({"get": "list_helpers", "post": "invite_helper"})
    ),
    path(f"{EVENT_API}/helpers/status/", Helpers.as_view({"post": "end_helper"})),
]
