"""The breadcrumbs of an event's public pages."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext

from league.core.club.models import Club
from league.core.viewer.web.crumbs import club_crumbs
from league.events.event.models import Event


def events_crumbs(club: Club) -> list[tuple[str, str]]:
    """Return the breadcrumbs of an event's page."""
    return [*club_crumbs(club), (gettext("Events"), reverse("events", args=[club.slug]))]


def event_crumbs(event: Event) -> list[tuple[str, str]]:
    """Return the breadcrumbs of a page below an event's page."""
    return [
        *events_crumbs(event.club),
        (event.name, reverse("event", args=[event.club.slug, event.slug])),
    ]
