"""The pages on which organisers manage an event, and their breadcrumbs."""

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
    """Return the breadcrumbs of a page below the list of events."""
    return desk_crumbs(club, (gettext("Events"), reverse("desk-events", args=[club.slug])))


def desk_event_crumbs(
    event: Event, *further: tuple[str, str], deeper: bool = False
) -> list[tuple[str, str]]:
    """Return the breadcrumbs of an event's cockpit; with `deeper` or `further` crumbs those of a
    page below it.
    """
    crumbs = desk_events_crumbs(event.club)
    if deeper or further:
        crumbs.append((event.name, cockpit_url(event)))
    return [*crumbs, *further]


def desk_entries_crumbs(event: Event) -> list[tuple[str, str]]:
    """Return the breadcrumbs of a page below the list of an event's entries."""
    return desk_event_crumbs(event, (gettext("Entries"), desk_url(event, "desk-entries")))


def desk_url(event: Event, page: str, *further: int | str) -> str:
    """Return the address of an organisers' page of an event; `further`: arguments after club and
    event.
    """
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
    """Render an organisers' page of an event."""
    shared_context = {"event": event, "here": "events", "crumbs": crumbs}
    return club_page(request, event.club, template, **shared_context, **context)


def take_event_step(
    request: HttpRequest,
    event: Event,
    step: Confirmation,
    *,
    crumbs: Sequence[tuple[str, str]],
    back: str = "",
) -> HttpResponse:
    """Take a confirmed step of an event, or show the page that asks for confirmation. Both lead to
    `back`, by default the cockpit."""
    return take(
        request, event.club, step, section="events", back=back or cockpit_url(event), crumbs=crumbs
    )
