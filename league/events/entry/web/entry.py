"""The page behind an entry's code: players see their own entry, organisers check it in."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.core.frame.letter_link import public_address
from league.core.viewer.web.crumbs import club_crumbs
from league.core.viewer.web.viewer import club_page, page_of, viewer_of
from league.events.entry.models import Entry
from league.events.entry.queries.access import entry_for, is_own
from league.events.entry.queries.entry import ACTIVE, waiting_place


@never_cache
@login_required
@require_safe
@page_of(entry_for)
def entry_page(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Show an entry to its owner, or to those who check in at the event."""
    event = entry.event
    return club_page(
        request,
        event.club,
        "league/events/entry/entry.html",
        event=event,
        entry=entry,
        active=entry.status in ACTIVE,
        place=waiting_place(entry) if entry.status == entry.Status.WAITING else 0,
        url=public_address(reverse("entry", args=[entry.public_id])),
        own=is_own(viewer_of(request), entry),
        scores=request.user.has_perm("league.score_event", event),
        manages=request.user.has_perm("league.manage_event", event),
        crumbs=club_crumbs(event.club),
    )
