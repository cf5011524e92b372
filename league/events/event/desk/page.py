"""The pages on which organisers look after an event."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse

from league.core.viewer.web.confirmation import Confirmation, take
from league.core.viewer.web.viewer import club_page
from league.events.event.desk.crumbs import cockpit_url
from league.events.event.models import Event


def event_desk_page(
    request: HttpRequest, event: Event, template: str, *, crumbs: Sequence[tuple[str, str]], **context: object
) -> HttpResponse:
    """The page of an event that the template makes of the `context`; `crumbs` are the way to it."""
    shared = {"event": event, "here": "events", "crumbs": crumbs}
    return club_page(request, event.club, template, **shared, **context)


def event_take(
    request: HttpRequest, event: Event, step: Confirmation, *, crumbs: Sequence[tuple[str, str]], back: str = ""
) -> HttpResponse:
    """Do a step of an event, or show its page; both end at `back`, which is the cockpit if nothing else is said."""
    return take(request, event.club, step, section="events", back=back or cockpit_url(event), crumbs=crumbs)
