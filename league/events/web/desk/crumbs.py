"""The way to the pages on which an event is run."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext

from league.clubs.web.desk.crumbs import crumbs
from league.events.models import Event


def event_crumbs(event: Event, *further: tuple[str, str], deeper: bool = False) -> list[tuple[str, str]]:
    """The way to an event's cockpit; with `deeper` or more behind it, to a page below that."""
    way = [(gettext("Events"), reverse("desk-events", args=[event.club.slug]))]
    if deeper or further:
        way.append((event.name, cockpit_url(event)))
    return crumbs(event.club, *way, *further)


def cockpit_url(event: Event) -> str:
    """The address of an event's cockpit."""
    return reverse("desk-event", args=[event.club.slug, event.slug])
