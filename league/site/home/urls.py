"""Addresses of the home page."""

from django.urls import path

from league.site.home.web import home

pages = [
    path("", home, name="home"),
]
