"""The first page of a club, and that of a season, with its table and next events."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from league.core.frame.kept import drawn, kept, shared_key
from league.core.frame.rendering import public_page
from league.core.frame.unchanged import LIVE, part_of, unless_unchanged
from league.core.viewer.web.viewer import (
    PageContext,
    club_page,
    or_404,
    page_of,
    shared_part,
    viewer_of,
)
from league.events.event.models import ANNOUNCED, Event
from league.events.event.queries.access import rights_of, visible_events
from league.events.event.queries.event import coming, is_ahead, next_end, with_counts
from league.play.online_table.queries import listed_tables, listed_versions
from league.standings.ranking.queries.board import Board
from league.standings.ranking.queries.state import club_state, page_state
from league.standings.ranking.web.embedding import embeddable
from league.standings.ranking.web.ranking import live_part, own_rows, page_context
from league.standings.season.models import Season
from league.standings.season.queries.access import board_for
from league.standings.season.queries.club import shown_club
from league.standings.season.web import club_context

NEXT_EVENTS: Final = 3
AT_HAND: Final = 10
"""How many events are cached: when one of them ends, the next three are still among them."""


class ClubSubject(NamedTuple):
    """A club that a page shows, by its row id, and the end of the first of the events there."""

    club: int
    event_end: datetime


def club_page_state(subject: ClubSubject) -> tuple[object, ...]:
    """Return the state on which a club's page depends, by two queries."""
    is_over = timezone.now() >= subject.event_end
    return (*club_state(subject.club), listed_versions(subject.club), is_over)


@require_safe
@public_page(club_page_state)
def club_home(request: HttpRequest, club_slug: str) -> HttpResponseBase:
    """Show a club: its next events, its seasons, its players."""
    club = or_404(shown_club, club_slug)
    viewer = viewer_of(request)
    events = list(coming(with_counts(visible_events(viewer).filter(club=club)))[:NEXT_EVENTS])

    versions = (
        *club_state(club.pk),
        rights_of(viewer, club),
        [event.pk for event in events],
        listed_versions(club.pk),
    )

    def content_context() -> PageContext:
        return {**club_context(request, club), "events": events, "tables": listed_tables(club)}

    def render_page() -> HttpResponse:
        content = shared_part(
            request,
            club,
            "league/site/club/club_content.html",
            shared_key(request, versions),
            content_context,
        )
        crumbs = [(gettext("Clubs"), reverse("club_list"))]
        return club_page(
            request, club, "league/site/club/club.html", content=content, crumbs=crumbs
        )

    subject = ClubSubject(club.pk, next_end(events))
    return unless_unchanged(request, versions, render_page, subject)


def season_state(subject: tuple[int, datetime]) -> tuple[object, ...]:
    """Return the state on which a ranking's page depends, by one query. `subject`: the ranking's
    row id, and the end of the first of the events on the page."""
    ranking_id, event_end = subject
    return (*page_state(ranking_id), timezone.now() >= event_end)


@require_safe
@embeddable("slug", "club_slug")
@public_page(season_state)
@page_of(board_for)
def ranking_page(request: HttpRequest, board: Board) -> HttpResponseBase:
    """Show a season, or a club's all-time ranking: its table, and a season's next events."""
    events: list[Event] = []
    # Next events are only on the page as one first opens it, perhaps by a season's link with its
    # `key`. Other parameters search, sort or turn the pages of the table, or embed it, and an open
    # page asks for its live part alone.
    is_first_full_page = request.GET.keys() <= {"key"} and part_of(request) != LIVE
    if board.season and is_first_full_page:
        cached_events = kept(
            "next-events",
            (board.season.public_id, board.logged),
            partial(_next_events, board.season),
        )
        events = [event for event in cached_events if is_ahead(event)][:NEXT_EVENTS]
    versions = (*board.versions, [event.pk for event in events])
    return unless_unchanged(
        request,
        versions,
        lambda: _render_season(request, board, events),
        subject=(board.ranking.pk, next_end(events)),
    )


def _next_events(season: Season) -> list[Event]:
    return list(coming(with_counts(Event.objects.filter(ANNOUNCED, season=season)))[:AT_HAND])


def _render_season(request: HttpRequest, board: Board, events: list[Event]) -> HttpResponse:
    rights = rights_of(viewer_of(request), board.club)
    key = shared_key(request, (*board.versions, rights))
    live = drawn(key, partial(live_part, request, board))
    return club_page(
        request,
        board.club,
        "league/standings/ranking/season.html",
        **page_context(request, board),
        live=live,
        **own_rows(request, board, live),
        shared_key=key,
        events=events,
    )
