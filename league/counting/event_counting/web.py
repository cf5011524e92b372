"""A season's ranking by its events: the points of each, which of them count, and the divisions."""

from __future__ import annotations

from typing import Final

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from engine.scoring.event_points import between_events, explain_events
from league.core.viewer.web.viewer import club_page, viewer_of
from league.counting.event_counting.queries import counting_of, divisions_of, events_ranking
from league.standings.ranked_game.queries.provisional import provisional_players
from league.standings.ranking.queries.board import Board
from league.standings.ranking.web.ranking import board_page, season_crumbs, shared
from league.standings.season.queries.access import players_with_page

ROWS_PER_PAGE: Final = 100


@require_safe
@board_page
def season_events(request: HttpRequest, board: Board) -> HttpResponse:
    """Show the ranking of a season by its events, with the events of each row, and its divisions;
    `?page=`."""
    if board.season is None:
        raise Http404
    counting = counting_of(board.season)
    divisions = divisions_of(board.season)
    if counting is None and not divisions:
        raise Http404
    rows, people = events_ranking(board.season, counting) if counting else ((), {})
    names = {player_id: player.name for player_id, player in people.items()}
    page = Paginator(rows, ROWS_PER_PAGE).get_page(request.GET.get("page"))
    players = {row.player for row in page.object_list}
    for division in divisions:
        players.update(player_id for player_id, _, _ in division.players)
    shown_rows = []
    for place, row in enumerate(page.object_list, start=page.start_index()):
        above = between_events(rows[place - 2], row, names) if place > 1 else None
        shown_rows.append(
            {
                "row": row,
                "player": people[row.player],
                "above": above,
                "why": explain_events(row, names),
            }
        )
    return club_page(
        request,
        board.club,
        "league/counting/event_counting/counting.html",
        **shared(board),
        counting=counting,
        page=page,
        rows=shown_rows,
        divisions=divisions,
        provisional=provisional_players(board.ranking.pk),
        known=players_with_page(viewer_of(request), players),
        title=gettext("By events") if counting else gettext("Divisions"),
        crumbs=season_crumbs(board),
    )
