"""Calendars of a club and of one event."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.core.club.models import Club
from league.core.frame.unchanged import unless_unchanged
from league.core.viewer.queries.access import club_for
from league.core.viewer.web.viewer import page_of
from league.events.calendar.domain import dates_of, feed
from league.events.calendar.queries import club_events
from league.events.event.models import Event
from league.events.event.queries.access import event_for


@require_safe
@page_of(club_for)
def club_calendar(request: HttpRequest, club: Club) -> HttpResponse:
    """Return the calendar of a club's public events."""
    return _calendar_response(
        request, club.name, reverse("events", args=[club.slug]), club_events(club)
    )


@require_safe
@page_of(event_for)
def event_calendar(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the calendar of one event, for those who may see it."""
    return _calendar_response(request, event.name, event_url(event), [event])


def _calendar_response(
    request: HttpRequest, name: str, page_path: str, events: list[Event]
) -> HttpResponse:
    def full_event_url(event: Event) -> str:
        return request.build_absolute_uri(event_url(event))

    dates = dates_of(events, full_event_url)

    def make_response() -> HttpResponse:
        content = feed(name, request.build_absolute_uri(page_path), dates)
        return HttpResponse(content, content_type="text/calendar; charset=utf-8")

    return unless_unchanged(request, [name, *dates], make_response)


def event_url(event: Event) -> str:
    """Return the address of an event's page."""
    return reverse("event", args=[event.club.slug, event.slug])
