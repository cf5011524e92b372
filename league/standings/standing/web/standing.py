"""The games behind a row of a ranking."""

from __future__ import annotations

from functools import partial

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.core.frame.kept import shared_key
from league.core.frame.rendering import public_page
from league.core.viewer.web.viewer import PageContext, club_page, or_404, shared_part, viewer_of
from league.standings.ranking.queries.board import Board
from league.standings.ranking.queries.state import page_state
from league.standings.ranking.web.ranking import board_page, page_number, season_crumbs, shared
from league.standings.season.queries.access import player_for
from league.standings.standing.queries.neighbour import best_games, rank_reasons
from league.standings.standing.queries.standing import name_in_row, row_of, shares_of

GAMES_PER_PAGE = 100


@require_safe
@public_page(page_state)
@board_page
def standing_page(request: HttpRequest, board: Board, player_id: str) -> HttpResponseBase:
    """Show the counted games of one player in a ranking, a page (`?page=`) at a time. `?only=wins`
    narrows them to the player's wins, `?only=best` to the games with the player's most points.

    A merged player's page redirects to the player they were merged into.
    """
    name = name_in_row(board.ranking, player_id)
    if name is None:
        successor = or_404(player_for, viewer_of(request), player_id).merged_into
        if successor is None:
            raise Http404
        return redirect("standing", board.club.slug, board.slug, successor.public_id)
    content = shared_part(
        request,
        board.club,
        "league/standings/standing/standing_content.html",
        shared_key(request, board.versions),
        partial(_content_context, request, board, player_id),
    )
    return club_page(
        request,
        board.club,
        "league/standings/standing/standing.html",
        board=board,
        name=name,
        content=content,
        crumbs=season_crumbs(board),
    )


def _content_context(request: HttpRequest, board: Board, player_id: str) -> PageContext:
    row = row_of(board.ranking, player_id)
    only = request.GET.get("only", "")
    filters = {"wins": {"rank": 1}, "best": {"points": row.best}}.get(only, {})
    game_count = row.wins if only == "wins" else row.games
    if only == "best":
        game_count = best_games(board.ranking, row.player, row.best)
    first = GAMES_PER_PAGE * (page_number(request.GET.get("page", "")) - 1)
    if first >= game_count:
        first = 0
    player_url = reverse("player", args=[row.player])
    if board.season:
        player_url += f"?season={board.slug}"
    return {
        **shared(board),
        "row": row,
        "reasons": rank_reasons(board.ranking, row),
        "player_url": player_url,
        "rating_url": f"{player_url}#rating" if board.season else "#rating",
        "shares": shares_of(
            board.ranking, row.player, first=first, count=GAMES_PER_PAGE, **filters
        ),
        "page": Paginator(range(game_count), GAMES_PER_PAGE).page(first // GAMES_PER_PAGE + 1),
        "only": only if filters else "",
        "total": row.points,
    }
