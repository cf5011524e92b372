"""The way to the pages on which an event is run."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext

from league.core.viewer.desk import crumbs
from league.events.event.models import Event


def event_crumbs(event: Event, *further: tuple[str, str], deeper: bool = False) -> list[tuple[str, str]]:
    """The way to an event's cockpit; with `deeper` or more behind it, to a page below that."""
    events = (gettext("Events"), reverse("desk-events", args=[event.club.slug]))
    cockpit = [(event.name, cockpit_url(event))] if deeper or further else []
    return crumbs(event.club, events, *cockpit, *further)


def desk_url(event: Event, page: str, *further: int | str) -> str:
    """The address of a page of an event for organisers; `further` is what stands in it beside club and event."""
    return reverse(page, args=[event.club.slug, event.slug, *further])


def cockpit_url(event: Event) -> str:
    """The address of an event's cockpit."""
    return desk_url(event, "desk-event")
