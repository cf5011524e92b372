"""The way to the public pages of an event."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext

from league.clubs.models import Club


def event_crumbs(club: Club) -> list[tuple[str, str]]:
    """The way to a page of an event."""
    return [
        (club.name, reverse("club", args=[club.slug])),
        (gettext("Events"), reverse("events", args=[club.slug])),
    ]
