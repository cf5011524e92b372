"""A page on which organisers look after an event."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse

from league.clubs.web.viewer import club_page
from league.events.models import Event


def event_desk_page(
    request: HttpRequest, event: Event, template: str, *, crumbs: Sequence[tuple[str, str]], **context: object
) -> HttpResponse:
    """The page of an event that the template makes of the `context`; `crumbs` are the way to it."""
    shared = {"event": event, "here": "events", "crumbs": crumbs}
    return club_page(request, event.club, template, **shared, **context)
