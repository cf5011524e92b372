"""Addresses of check-in."""

from django.urls import path, register_converter
from django.urls.converters import SlugConverter

from league.events.entry.urls import ENTRY_DESK
from league.events.event.urls import EVENT_API, EVENT_DESK
from league.floor.check_in.api import EntryStatuses, OwnEntries
from league.floor.check_in.desk.check_in import check_in_page, check_in_step_page
from league.floor.check_in.desk.entry import STEPS, desk_entry_page, desk_entry_step_page


class EntryStepConverter(SlugConverter):
    """`<entry_step:step>`: something that can be done with an entry."""

    regex = "|".join(STEPS)


register_converter(EntryStepConverter, "entry_step")

desk = [
    path(f"{ENTRY_DESK}/", desk_entry_page, name="desk-entry"),
    path(f"{ENTRY_DESK}/<entry_step:step>/", desk_entry_step_page, name="desk-entry-step"),
    path(f"{EVENT_DESK}/check-in/", check_in_page, name="desk-check-in"),
    path(f"{EVENT_DESK}/check-in/<slug:step>/", check_in_step_page, name="desk-check-in-step"),
]

api = [
    path(f"{EVENT_API}/entries/status/", EntryStatuses.as_view({"post": "move_entries"})),
    path(
        f"{EVENT_API}/entries/own/",
        OwnEntries.as_view({"get": "get_own_entry", "post": "change_own_entry"}),
    ),
]
