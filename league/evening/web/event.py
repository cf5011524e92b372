"""The events of a club, and the page of one."""

from __future__ import annotations

from typing import Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.clubs.queries.access import club_for
from league.clubs.web.viewer import club_page, or_404, viewer_of
from league.entries.queries.entry import entries_shown, entries_there, places
from league.evening.queries.history import event_history
from league.events.models import Event
from league.events.queries.access import event_for, visible_events
from league.events.queries.event import coming, entries_open, event_versions, has_games, past, with_counts
from league.events.web.crumbs import event_crumbs
from league.frame.unchanged import unless_unchanged
from league.hall.queries.timetable import has_timetable
from league.stages.models import Stage

EVENTS_PER_PAGE: Final = 30
ENTRIES_PER_PAGE: Final = 100
MOST_COMING: Final = 60


@require_safe
def event_list(request: HttpRequest, club_slug: str) -> HttpResponse:
    """The events of a club that the viewer may see: those to come, then past ones by pages (`?page=`)."""
    viewer = viewer_of(request)
    club = or_404(club_for, viewer, club_slug)
    events = with_counts(visible_events(viewer).filter(club=club))
    page = Paginator(past(events), EVENTS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "coming": list(coming(events)[:MOST_COMING]) if page.number == 1 else [],
        "page": page,
        "calendar_url": request.build_absolute_uri(reverse("club-calendar", args=[club.slug])),
        "crumbs": [(club.name, reverse("club", args=[club.slug]))],
    }
    return club_page(request, club, "league/evening/events.html", context)


@require_safe
def event_page(request: HttpRequest, club_slug: str, event_slug: str) -> HttpResponse:
    """An event: when and where, who comes, and how it ended; `?page=` of its entries."""
    event = or_404(event_for, viewer_of(request), club_slug, event_slug)
    return unless_unchanged(request, event_versions(event), lambda: _page(request, event))


def _page(request: HttpRequest, event: Event) -> HttpResponse:
    viewer = viewer_of(request)
    stages = list(Stage.objects.filter(event=event).order_by("number"))
    context = {
        "event": event,
        "season": event.season,
        "places": places(event),
        "open": entries_open(event),
        "own": entries_there(viewer, event),
        "page": Paginator(entries_shown(viewer, event), ENTRIES_PER_PAGE).get_page(request.GET.get("page")),
        "stages": stages,
        "history": event_history(event, viewer, stages),
        "has_games": has_games(event),
        "timetable": has_timetable(event),
        "works": request.user.has_perm("league.enter_event", event),
        "crumbs": event_crumbs(event.club),
    }
    return club_page(request, event.club, "league/evening/event.html", context)
