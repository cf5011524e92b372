"""The uploaded files of a club's seasons, and links to upload more."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.core.club.models import Club
from league.core.viewer.queries.access import club_for_organiser
from league.core.viewer.web.crumbs import desk_crumbs
from league.core.viewer.web.viewer import club_page, page_of
from league.records.upload.queries import desk_uploads
from league.standings.season.queries.season import desk_seasons

UPLOADS_PER_PAGE = 30
SEASONS_OFFERED = 12


@login_required
@require_safe
@page_of(club_for_organiser)
def desk_imports(request: HttpRequest, club: Club) -> HttpResponse:
    """List the uploaded files of all seasons, with links to upload more."""
    return club_page(
        request,
        club,
        "league/records/upload/desk/imports.html",
        page=Paginator(desk_uploads(club), UPLOADS_PER_PAGE).get_page(request.GET.get("page")),
        seasons=desk_seasons(club)[:SEASONS_OFFERED],
        here="imports",
        crumbs=desk_crumbs(club),
    )
