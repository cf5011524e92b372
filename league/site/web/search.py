"""The search: one word for players, games, seasons and events."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from league.clubs.web.viewer import PageContext, viewer_of
from league.site.queries.search import events_found, events_named, games_found, players_called, seasons_found

LONGEST: Final = 100
"""Characters that are looked for; no name has more."""


@require_safe
def search_page(request: HttpRequest) -> HttpResponse:
    """What `?q=` finds among all that the viewer may see; without it, the field alone."""
    asked = " ".join(request.GET.get("q", "").split())[:LONGEST].strip()
    found = _found(request, asked) if asked and asked.isprintable() else {}
    return render(
        request, "league/site/search/search.html", {"q": asked, "empty": not asked, "section": "search", **found}
    )


def _found(request: HttpRequest, asked: str) -> PageContext:
    viewer = viewer_of(request)
    players, games, seasons = (find(viewer, asked) for find in (players_called, games_found, seasons_found))
    event = slugify(asked)
    events, labels = events_named(viewer, asked), events_found(viewer, event)
    return {
        "players": players,
        "games": games,
        "seasons": seasons,
        "event": event,
        "events": events,
        "labels": labels,
        "anything": any(found.shown for found in (players, games, seasons, events, labels)),
    }
