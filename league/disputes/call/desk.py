"""The tables that call the arbiter, of an event and of a club, for those who rule there."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.core.club.models import Club
from league.core.viewer.queries.access import club_for_arbiter
from league.core.viewer.web.crumbs import desk_crumbs
from league.core.viewer.web.viewer import club_page, page_of
from league.disputes.call.domain import age_in_words, is_long
from league.disputes.call.live import CallStreams
from league.disputes.call.queries import OpenCall, calls_version, club_calls, event_calls
from league.events.event.desk.page import desk_event_crumbs
from league.events.event.models import Event
from league.events.event.queries.access import event_for_arbiter


@never_cache
@login_required
@require_safe
@page_of(club_for_arbiter)
def call_list(request: HttpRequest, club: Club) -> HttpResponse:
    """Show which tables of a club call, the oldest call first, for its arbiters and organisers."""
    calls = club_calls(club)
    return _list(request, club, calls, calls_version(calls), here="calls", crumbs=desk_crumbs(club))


@never_cache
@login_required
@require_safe
@page_of(event_for_arbiter)
def event_call_list(request: HttpRequest, event: Event) -> HttpResponse:
    """Show which tables of an event call, also to whoever is an arbiter at this one alone."""
    version = calls_version(club_calls(event.club))
    way = desk_event_crumbs(event, deeper=True)
    return _list(
        request, event.club, event_calls(event), version, here="events", crumbs=way, event=event
    )


def _list(
    request: HttpRequest, club: Club, calls: Sequence[OpenCall], version: str, **context: object
) -> HttpResponse:
    """The page of the list, which follows the calls of the whole club."""
    at = timezone.now()
    waiting = [
        (call, age_in_words(call.called_at, at), is_long(call.called_at, at)) for call in calls
    ]
    return club_page(
        request,
        club,
        "league/disputes/call/desk/calls.html",
        calls=waiting,
        live_url=CallStreams.url(str(club.pk), version),
        **context,
    )
