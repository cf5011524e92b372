"""The way to the pages of a club."""

from __future__ import annotations

from django.urls import reverse

from league.core.club.models import Club


def club_crumbs(club: Club) -> list[tuple[str, str]]:
    """The way to a page below that of a club."""
    return [(club.name, reverse("club", args=[club.slug]))]
