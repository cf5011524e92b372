"""The published timetable of an event, on a page and for printing."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.core.frame.unchanged import unless_unchanged
from league.core.viewer.web.viewer import PageContext, club_page, page_of
from league.events.event.models import Event
from league.events.event.queries.access import event_for
from league.events.event.queries.event import event_versions
from league.events.event.web import event_crumbs
from league.floor.timetable.domain.timetable_grid import timetable_grid
from league.floor.timetable.queries import timetable_facts


@require_safe
@page_of(event_for)
def timetable_shown(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the time and the place of each table, and its players once the round is published."""
    return unless_unchanged(
        request,
        event_versions(event),
        lambda: club_page(
            request, event.club, "league/floor/timetable/timetable.html", **_context(event)
        ),
    )


@require_safe
@page_of(event_for)
def timetable_print(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the timetable for printing: a page for each place (`?by=place`) or for each player
    (`?by=player`)."""
    by = request.GET.get("by", "place")
    if by not in ("place", "player"):
        raise Http404
    return club_page(
        request, event.club, "league/floor/timetable/timetable_print.html", **_context(event), by=by
    )


def _context(event: Event) -> PageContext:
    facts = timetable_facts(event)
    grid = timetable_grid(facts, facts.assignment(facts.published)) if facts.published else None
    return {"event": event, "grid": grid, "crumbs": event_crumbs(event)}
