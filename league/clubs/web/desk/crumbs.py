"""The way to a page on which a club is run."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext

from league.clubs.models import Club
from league.clubs.permissions import Account


def crumbs(club: Club, *further: tuple[str, str]) -> list[tuple[str, str]]:
    """The way to a page of the desk; the desk's own page is not below itself."""
    desk = (gettext("Organise"), reverse("desk", args=[club.slug]))
    return [(club.name, reverse("club", args=[club.slug])), desk, *further]


def open_crumbs(user: Account, club: Club, way: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The way to a page of an event without those parts that the reader may not open, as a helper may not. One query
    for the club's organisers, two for others; none for other pages."""
    desk, club_events = reverse("desk", args=[club.slug]), reverse("desk-events", args=[club.slug])
    if all(url != club_events for _, url in way) or user.has_perm("league.manage_club", club):
        return list(way)
    closed = {club_events} if user.has_perm("league.enter_desk", club) else {club_events, desk}
    return [(label, url) for label, url in way if url not in closed]
