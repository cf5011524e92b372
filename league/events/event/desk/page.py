"""The pages on which organisers look after an event, and the way to them."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext

from league.core.club.models import Club
from league.core.viewer.web.confirmation import Confirmation, take
from league.core.viewer.web.crumbs import desk_crumbs
from league.core.viewer.web.viewer import club_page
from league.events.event.models import Event


def desk_events_crumbs(club: Club) -> list[tuple[str, str]]:
    """Return the way to a page below the list of events."""
    return desk_crumbs(club, (gettext("Events"), reverse("desk-events", args=[club.slug])))


def desk_event_crumbs(
    event: Event, *further: tuple[str, str], deeper: bool = False
) -> list[tuple[str, str]]:
    """Return the way to an event's cockpit; with `deeper` or more behind it, to a page below
    that."""
    cockpit = [(event.name, cockpit_url(event))] if deeper or further else []
    return [*desk_events_crumbs(event.club), *cockpit, *further]


def desk_url(event: Event, page: str, *further: int | str) -> str:
    """Return the address of an event's page for organisers; `further` stands in it behind club and
    event."""
    return reverse(page, args=[event.club.slug, event.slug, *further])


def cockpit_url(event: Event) -> str:
    """Return the address of an event's cockpit."""
    return desk_url(event, "desk-event")


def event_desk_page(
    request: HttpRequest,
    event: Event,
    template: str,
    *,
    crumbs: Sequence[tuple[str, str]],
    **context: object,
) -> HttpResponse:
    """Render the page of an event from the template and the `context`; `crumbs` are the way to
    it."""
    shared = {"event": event, "here": "events", "crumbs": crumbs}
    return club_page(request, event.club, template, **shared, **context)


def event_take(
    request: HttpRequest,
    event: Event,
    step: Confirmation,
    *,
    crumbs: Sequence[tuple[str, str]],
    back: str = "",
) -> HttpResponse:
    """Do a step of an event, or show its page; both end at `back`, by default the cockpit."""
    return take(
        request, event.club, step, section="events", back=back or cockpit_url(event), crumbs=crumbs
    )
