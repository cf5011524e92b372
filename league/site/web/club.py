"""The first page of a club, and that of a season: where its tables and its events meet."""

from __future__ import annotations

from functools import partial
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from league.clubs.models import Club
from league.clubs.web.viewer import club_page, or_404, viewer_of
from league.events.models import Event
from league.events.models.event import ANNOUNCED
from league.events.queries.access import visible_events
from league.events.queries.event import coming, with_counts
from league.frame.kept import kept
from league.frame.rendering import public_page
from league.frame.unchanged import unless_unchanged
from league.rankings.queries.state import page_state
from league.seasons.models import Season
from league.seasons.queries.access import board_for
from league.seasons.queries.board import Board
from league.seasons.queries.club import shown_club
from league.seasons.queries.season import versions_of
from league.seasons.web.club import club_context
from league.seasons.web.ranking import table_context

NEXT_EVENTS: Final = 3


@require_safe
def club_home(request: HttpRequest, club_slug: str) -> HttpResponseBase:
    """A club: its next events, its seasons, its players."""
    club, viewer = or_404(shown_club, club_slug), viewer_of(request)
    events = list(coming(with_counts(visible_events(viewer).filter(club=club)))[:NEXT_EVENTS])

    def answer() -> HttpResponse:
        context = {**club_context(request, club), "events": events}
        return club_page(request, club, "league/seasons/club/club.html", context)

    versions = versions_of(Club.objects.filter(pk=club.pk))
    return unless_unchanged(request, (*versions, sorted(viewer.keys), [event.pk for event in events]), answer)


@require_safe
@public_page(page_state)
def ranking_page(request: HttpRequest, club_slug: str, slug: str) -> HttpResponseBase:
    """The page of a season, or of a club's ranking of all time: its table, and its next events."""
    board = or_404(board_for, viewer_of(request), club_slug, slug)
    return unless_unchanged(request, board.versions, lambda: _season(request, board), board.ranking.pk)


def _next_events(season: Season) -> list[Event]:
    """The next events of a season, as everybody may see them."""
    return list(coming(with_counts(Event.objects.filter(ANNOUNCED, season=season)))[:NEXT_EVENTS])


def _season(request: HttpRequest, board: Board) -> HttpResponse:
    context = table_context(request, board)
    if board.season and request.GET.keys() <= {"key"}:
        hangs_on = (board.season.public_id, board.logged)
        context["events"] = kept("next-events", hangs_on, partial(_next_events, board.season))
    return club_page(request, board.club, "league/seasons/season.html", context)
