"""The search: one word for players, games and seasons."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.rankings.web.viewer import PageContext, viewer_of
from league.site.queries.search import games_found, players_named_so, seasons_found

LONGEST: Final = 100
"""Characters that are looked for; no name has more."""


@require_safe
def search_page(request: HttpRequest) -> HttpResponse:
    """What `?q=` finds among all that the viewer may see; without it, the field alone."""
    asked = " ".join(request.GET.get("q", "").split())[:LONGEST].strip()
    found = _found(request, asked) if asked and asked.isprintable() else {}
    return render(request, "league/search/search.html", {"q": asked, "empty": not asked, "section": "search", **found})


def _found(request: HttpRequest, asked: str) -> PageContext:
    viewer = viewer_of(request)
    players, games, seasons = (find(viewer, asked) for find in (players_named_so, games_found, seasons_found))
    return {
        "players": players,
        "games": games,
        "seasons": seasons,
        "anything": bool(players.shown or games.shown or seasons.shown),
    }
