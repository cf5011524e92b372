"""Addresses of the API itself."""

from django.urls import path
from django.views.generic import RedirectView

from league.site.openapi.api import Index, Schema, try_page

api = [
    path("", RedirectView.as_view(pattern_name="api-docs")),
    path("docs/", try_page, name="api-docs"),
    path("schema/", Schema.as_view({"get": "get_schema"}), name="api-schema"),
    path("v1/", Index.as_view({"get": "index"}), name="api"),
]
