"""A player's rank after each day of play."""

from __future__ import annotations

from typing import Final

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from league.core.frame.rendering import public_page
from league.core.viewer.web.viewer import club_page, or_404, viewer_of
from league.standings.ranked_game.queries.provisional import provisional_players
from league.standings.ranking.queries.board import Board
from league.standings.ranking.queries.state import page_state
from league.standings.ranking.web.ranking import board_page, season_crumbs, shared
from league.standings.season.queries.access import player_for
from league.standings.standing.queries.days import play_days, rank_days

DAYS_PER_PAGE: Final = 40


@require_safe
@public_page(page_state)
@board_page
def rank_days_page(request: HttpRequest, board: Board, player_id: str) -> HttpResponse:
    """Show a player's rank after each day of play, the latest first, a page (`?page=`) at a time.

    A merged player's page redirects to the player they were merged into.
    """
    player = or_404(player_for, viewer_of(request), player_id)
    if player.merged_into:
        return redirect("rank-days", board.club.slug, board.slug, player.merged_into.public_id)
    days = play_days(board.ranking, player)
    if not days:
        raise Http404
    page = Paginator(days, DAYS_PER_PAGE).get_page(request.GET.get("page"))
    with_day_before = days[page.start_index() - 1 : page.end_index() + 1]
    standing = reverse("standing", args=[board.club.slug, board.slug, player.public_id])
    return club_page(
        request,
        board.club,
        "league/standings/standing/days.html",
        **shared(board),
        player=player,
        provisional=player.public_id in provisional_players(board.ranking.pk),
        page=page,
        days=rank_days(board.ranking, player, with_day_before)[: len(page)],
        crumbs=[*season_crumbs(board), (player.name, standing)],
        title=gettext("Rank after each day"),
    )
