"""Addresses of search."""

from django.urls import path

from league.site.search.web import search_page

pages = [
    path("search/", search_page, name="search"),
]
