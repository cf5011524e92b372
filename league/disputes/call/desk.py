"""The desk pages of open calls, of a club and of an event, for those who rule there."""

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
    """Show the open calls of a club, the oldest first, to its arbiters and organisers."""
    calls = club_calls(club)
    return _calls_page(
        request, club, calls, calls_version(calls), here="calls", crumbs=desk_crumbs(club)
    )


@never_cache
@login_required
@require_safe
@page_of(event_for_arbiter)
def event_call_list(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the open calls of an event, also to those who are arbiters at this event alone."""
    # The page listens to the stream of the whole club.
    version = calls_version(club_calls(event.club))
    crumbs = desk_event_crumbs(event, deeper=True)
    return _calls_page(
        request, event.club, event_calls(event), version, here="events", crumbs=crumbs, event=event
    )


def _calls_page(
    request: HttpRequest, club: Club, calls: Sequence[OpenCall], version: str, **context: object
) -> HttpResponse:
    now = timezone.now()
    rows = []
    for call in calls:
        age = age_in_words(call.called_at, now)
        rows.append((call, age, is_long(call.called_at, now)))
    return club_page(
        request,
        club,
        "league/disputes/call/desk/calls.html",
        calls=rows,
        live_url=CallStreams.url(str(club.pk), version),
        **context,
    )
