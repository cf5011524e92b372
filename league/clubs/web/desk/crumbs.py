"""The way to a page on which a club is run."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext

from league.clubs.models import Club


def crumbs(club: Club, *further: tuple[str, str]) -> list[tuple[str, str]]:
    """The way to a page of the desk; the desk's own page is not below itself."""
    desk = (gettext("Organise"), reverse("desk", args=[club.slug]))
    return [(club.name, reverse("club", args=[club.slug])), desk, *further]
