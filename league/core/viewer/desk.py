"""The way to a page on which a club is run."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.urls import reverse
from django.utils.translation import gettext

from league.core.club.models import Club
from league.core.member.models.member import Role
from league.core.viewer.web.crumbs import club_crumbs


def crumbs(club: Club, *further: tuple[str, str]) -> list[tuple[str, str]]:
    """The way to a page of the desk; the desk's own page is not below itself."""
    desk = (gettext("Organise"), reverse("desk", args=[club.slug]))
    return [*club_crumbs(club), desk, *further]


def open_crumbs(roles: Collection[str], club: Club, way: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The way to a page of an event without those parts that a reader with these roles in the club may not open, as a
    helper may not."""
    desk, club_events = reverse("desk", args=[club.slug]), reverse("desk-events", args=[club.slug])
    closed = set() if Role.ORGANISER in roles else {club_events} if roles else {club_events, desk}
    return [(label, url) for label, url in way if url not in closed]
