"""The styles of all players of a ranking in one table, for arbiters and organisers."""

from __future__ import annotations

from typing import Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.core.frame.unchanged import unless_unchanged
from league.core.viewer.web.viewer import club_page, page_of
from league.standings.ranking.queries.board import Board
from league.standings.ranking.web.ranking import season_crumbs, shared
from league.standings.season.queries.access import board_for_arbiter
from league.standings.style.queries import SORTS, ComparedStyle, style_rows

STYLES_PER_PAGE: Final = 100
DEFAULT_SORT: Final = "-bluffed"
"""The sorting of the table if none is requested."""


@require_safe
@page_of(board_for_arbiter)
def styles_page(request: HttpRequest, board: Board) -> HttpResponse:
    """Show how often each player bluffs, is caught, and challenges rightly. `?sort=caught` sorts the
    rows, `?sort=-caught` in descending order; `?page=` is a page of them."""
    return unless_unchanged(request, board.style_versions, lambda: _styles_page(request, board))


def _styles_page(request: HttpRequest, board: Board) -> HttpResponse:
    sort = request.GET.get("sort", DEFAULT_SORT)
    if sort.removeprefix("-") not in SORTS:
        sort = DEFAULT_SORT
    rows = style_rows(board.ranking, sort.removeprefix("-"), down=sort.startswith("-"))
    page = Paginator(rows, STYLES_PER_PAGE).get_page(request.GET.get("page"))
    return club_page(
        request,
        board.club,
        "league/standings/style/styles.html",
        **shared(board),
        page=page,
        rows=[ComparedStyle(*row) for row in page],
        sort=sort,
        crumbs=season_crumbs(board),
    )
