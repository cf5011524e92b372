"""Searching players, games, seasons and events by one word."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from league.core.viewer.web.viewer import PageContext, viewer_of
from league.site.search.queries import (
    FirstResults,
    events_found,
    events_named,
    games_found,
    names_close,
    players_called,
    seasons_found,
)

LONGEST: Final = 100
"""The most characters of a search; no name has more."""


@require_safe
def search_page(request: HttpRequest) -> HttpResponse:
    """Show those results for `?q=` that the viewer may see; without a text, only the search
    field."""
    query = " ".join(request.GET.get("q", "").split())[:LONGEST].strip()
    results = _results(request, query) if query and query.isprintable() else {}
    return render(
        request,
        "league/site/search/search.html",
        {"q": query, "empty": not query, "section": "search", **results},
    )


def _results(request: HttpRequest, query: str) -> PageContext:
    viewer = viewer_of(request)
    slug = slugify(query)
    results: dict[str, FirstResults[Any]] = {
        "players": players_called(viewer, query),
        "games": games_found(viewer, query),
        "seasons": seasons_found(viewer, query),
        "events": events_named(viewer, query),
        "labels": events_found(viewer, slug),
    }
    has_any = any(group.shown for group in results.values())
    return {
        **results,
        "event": slug,
        "anything": has_any,
        "close_names": [] if has_any else names_close(viewer, query),
    }
