"""Addresses of entries."""

from django.urls import path

from league.events.entry.api import CheckIns, Entries
from league.events.entry.desk.asked import asked_page
from league.events.entry.desk.attendance import attendance_page
from league.events.entry.desk.entries import entries_csv, entries_page, entries_print
from league.events.entry.desk.entry_list import entry_list_page
from league.events.entry.desk.labels import labels_page
from league.events.entry.web.entry import entry_page
from league.events.entry.web.self_entry import enter_page, entry_by_mail_page
from league.events.event.urls import EVENT, EVENT_API, EVENT_DESK

ENTRY_DESK = f"{EVENT_DESK}/entries/<public_id:entry_id>"
ENTRY_API = f"{EVENT_API}/entries/<public_id:entry>"

pages = [
    path(f"{EVENT}/enter/", enter_page, name="event-enter"),
    path("entries/<public_id:entry_id>/", entry_page, name="entry"),
    path("entries/by-mail/<str:token>/", entry_by_mail_page, name="entry-by-mail"),
]

desk = [
    path(f"{EVENT_DESK}/entries/", entries_page, name="desk-entries"),
    path(f"{EVENT_DESK}/labels/", labels_page, name="desk-labels"),
    path(f"{EVENT_DESK}/entries/asked/", asked_page, name="desk-entries-asked"),
    path(f"{EVENT_DESK}/entries/list/", entry_list_page, name="desk-entry-list"),
    path(f"{EVENT_DESK}/entries/entries.csv", entries_csv, name="desk-entries-file"),
    path(f"{EVENT_DESK}/entries/print/", entries_print, name="desk-entries-print"),
    path(f"{EVENT_DESK}/attendance/", attendance_page, name="desk-attendance"),
]

api = [
    path(f"{EVENT_API}/entries/", Entries.as_view({"get": "list_entries", "post": "add_entries"})),
    path(f"{EVENT_API}/entries/fees/", Entries.as_view({"get": "get_fees", "post": "set_fees"})),
    path(f"{EVENT_API}/entries/check-in/", CheckIns.as_view({"post": "check_in_entries"})),
    path(f"{ENTRY_API}/", Entries.as_view({"get": "get_entry", "patch": "change_entry"})),
    path(f"{EVENT_API}/apart/", Entries.as_view({"get": "list_apart", "post": "keep_apart"})),
]
