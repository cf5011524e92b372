"""Addresses of watching a game."""

from django.urls import path

from league.events.event.urls import EVENT
from league.sheets.watching.web import event_live_page, table_live_page
from league.stages.table.urls import TABLE

pages = [
    path(f"{EVENT}/live/", event_live_page, name="event-live"),
    path(f"{TABLE}/live/", table_live_page, name="table-live"),
]
