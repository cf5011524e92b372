"""The search: one word for players, games, seasons and events."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from league.core.viewer.web.viewer import PageContext, viewer_of
from league.site.search.queries import (
    events_found,
    events_named,
    games_found,
    names_close,
    players_called,
    seasons_found,
)

LONGEST: Final = 100
"""Characters that are looked for; no name has more."""


@require_safe
def search_page(request: HttpRequest) -> HttpResponse:
    """Show what `?q=` finds among all that the viewer may see; without it, the field alone."""
    query = " ".join(request.GET.get("q", "").split())[:LONGEST].strip()
    results = _results(request, query) if query and query.isprintable() else {}
    return render(
        request,
        "league/site/search/search.html",
        {"q": query, "empty": not query, "section": "search", **results},
    )


def _results(request: HttpRequest, query: str) -> PageContext:
    viewer = viewer_of(request)
    players, games, seasons = (
        find(viewer, query) for find in (players_called, games_found, seasons_found)
    )
    event = slugify(query)
    events, labels = events_named(viewer, query), events_found(viewer, event)
    anything = any(group.shown for group in (players, games, seasons, events, labels))
    return {
        "players": players,
        "games": games,
        "seasons": seasons,
        "event": event,
        "events": events,
        "labels": labels,
        "anything": anything,
        "close_names": [] if anything else names_close(viewer, query),
    }
