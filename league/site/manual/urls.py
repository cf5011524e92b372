"""Addresses of the manual."""

from django.urls import path

from league.site.manual.web import doc_page, docs_index

pages = [
    path("docs/", docs_index, name="docs"),
    path("docs/rules", doc_page, {"page": "rules"}, name="rules"),
    path("docs/<slug:page>", doc_page, name="doc"),
]
