"""What a row of a ranking is made of."""

from __future__ import annotations

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from league.frame.unchanged import unless_unchanged
from league.rankings.queries.access import board_for, player_for
from league.rankings.queries.board import Board
from league.rankings.queries.standing import TableRow, row_of, shares_of
from league.rankings.web.ranking import crumbs, shared
from league.rankings.web.viewer import club_page, or_404, viewer_of


@require_safe
def standing_page(request: HttpRequest, club: str, slug: str, player: str) -> HttpResponse:
    """Every counted game of one player in a ranking; `?only=wins` and `?only=best` show what those figures count.

    Who was merged into another player has that one's page.
    """
    board = or_404(board_for, viewer_of(request), club, slug)
    return unless_unchanged(request, board.versions, lambda: _row_or_successor(request, board, player))


def _row_or_successor(request: HttpRequest, board: Board, player: str) -> HttpResponse:
    try:
        row = row_of(board.ranking, player)
    except ObjectDoesNotExist as error:
        successor = or_404(player_for, viewer_of(request), player).merged_into
        if successor is None:
            raise Http404 from error
        return redirect("standing", board.club.slug, board.slug, successor.public_id)
    return _standing(request, board, row)


def _standing(request: HttpRequest, board: Board, row: TableRow) -> HttpResponse:
    shares = shares_of(board.ranking, row.player)
    only = request.GET.get("only", "")
    if only == "wins":
        shown = [share for share in shares if share.rank == 1]
    elif only == "best":
        shown = [share for share in shares if share.points == row.best]
    else:
        only, shown = "", shares
    context = {
        **shared(board),
        "row": row,
        "shares": shown,
        "only": only,
        "total": shares[-1].total if shares else 0,
        "crumbs": crumbs(board),
    }
    return club_page(request, board.club, "league/season/standing.html", context)
