"""Addresses of the log."""

from django.urls import path

from league.core.club.urls import CLUB
from league.site.log.web import log_export, log_page

pages = [
    path(f"{CLUB}/log/", log_page, name="club-log"),
    path(f"{CLUB}/log/log.jsonl", log_export, name="club-log-export"),
]
