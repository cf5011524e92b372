"""Addresses of fees."""

from django.urls import path

from league.events.event.urls import EVENT_DESK
from league.events.fee.desk import fees_csv, fees_page

desk = [
    path(f"{EVENT_DESK}/fees/", fees_page, name="desk-fees"),
    path(f"{EVENT_DESK}/fees/fees.csv", fees_csv, name="desk-fees-file"),
]
