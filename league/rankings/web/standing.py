"""What a row of a season's table is made of."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.rankings.models import Season
from league.rankings.queries.access import season_for
from league.rankings.queries.standing import TableRow, row_of, shares_of
from league.rankings.web.viewer import club_page, or_404, unless_unchanged, viewer_of


@require_safe
def standing_page(request: HttpRequest, club: str, season: str, player: int) -> HttpResponse:
    """Every counted game of one player in the season; `?only=wins` and `?only=best` show what those figures count."""
    found = or_404(season_for, viewer_of(request), club, season)
    return unless_unchanged(request, found, lambda: _standing(request, found, or_404(row_of, found, player)))


def _standing(request: HttpRequest, season: Season, row: TableRow) -> HttpResponse:
    shares = shares_of(season, row.player_id)
    only = request.GET.get("only", "")
    if only == "wins":
        shown = [share for share in shares if share.rank == 1]
    elif only == "best":
        shown = [share for share in shares if share.points == row.best]
    else:
        only, shown = "", shares
    address = reverse("season", args=[season.club.slug, season.slug])
    context = {
        "season": season,
        "row": row,
        "shares": shown,
        "only": only,
        "total": shares[-1].total if shares else 0,
        "crumbs": [(season.club.name, reverse("club", args=[season.club.slug])), (season.name, address)],
    }
    return club_page(request, season.club, "league/season/standing.html", context)
