"""Clubs and their seasons."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.core.club.models import Club
from league.core.frame.name_key import NameKey
from league.core.viewer.web.viewer import PageContext, viewer_of
from league.standings.season.queries.access import visible_seasons
from league.standings.season.queries.club import club_players, listed_clubs
from league.standings.season.queries.season import SeasonCard, with_top

CLUBS_PER_PAGE = 30
SEASONS_PER_PAGE = 12
TOP_ROWS = 5
PLAYERS = 100


@require_safe
def club_list(request: HttpRequest) -> HttpResponse:
    """List all clubs by name."""
    page = Paginator(listed_clubs(viewer_of(request)), CLUBS_PER_PAGE).get_page(
        request.GET.get("page")
    )
    return render(request, "league/standings/season/list.html", {"page": page})


def club_context(request: HttpRequest, club: Club) -> PageContext:
    """Return the context of a club's page: the seasons that the viewer may see, the latest first,
    archived ones last."""
    viewer = viewer_of(request)
    seasons = (
        visible_seasons(viewer)
        .filter(club=club)
        .order_by("archived", "-starts_on", NameKey("name"), "pk")
    )
    page = Paginator(with_top(seasons, TOP_ROWS), SEASONS_PER_PAGE).get_page(
        request.GET.get("page")
    )
    players = list(club_players(viewer, club)[: PLAYERS + 1])
    return {
        "page": page,
        "players": players[:PLAYERS],
        "more_players": len(players) > PLAYERS,
        "cards": [SeasonCard.of(season) for season in page],
    }
