"""Addresses of the set-up."""

from django.urls import path

from league.site.setup.web import setup_page

pages = [
    path("setup/", setup_page, name="setup"),
]
