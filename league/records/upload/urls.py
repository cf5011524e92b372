"""Addresses of imports."""

from django.urls import path

from league.core.club.urls import CLUB_DESK
from league.records.upload.desk import desk_imports
from league.records.upload.web import import_confirm, import_drop, import_job_page, import_upload
from league.standings.season.urls import SEASON

IMPORT = "imports/<public_id:job_id>"

pages = [
    path(f"{SEASON}/import/", import_upload, name="import"),
    path(f"{IMPORT}/", import_job_page, name="import-job"),
    path(f"{IMPORT}/confirm/", import_confirm, name="import-confirm"),
    path(f"{IMPORT}/drop/", import_drop, name="import-drop"),
]

desk = [
    path(f"{CLUB_DESK}/imports/", desk_imports, name="desk-imports"),
]
