"""Addresses of a player’s own tables."""

from django.urls import path

from league.floor.my_tables.web import my_tables

pages = [
    path("me/tables/", my_tables, name="my-tables"),
]
