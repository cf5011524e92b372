"""Breadcrumbs of a club's pages and of its desk.

Functions are named after the page whose lower pages have the crumbs: `desk_crumbs`,
`desk_event_crumbs`."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.urls import reverse
from django.utils.translation import gettext

from league.core.club.models import Club
from league.core.member.models.member import Role
from league.core.player.models import Player


def club_crumbs(club: Club) -> list[tuple[str, str]]:
    """Return the crumbs of pages below a club's page."""
    return [(club.name, reverse("club", args=[club.slug]))]


def desk_crumbs(club: Club, *further: tuple[str, str]) -> list[tuple[str, str]]:
    """Return the crumbs of a page of the desk: club, desk, and `further` ones. The desk's own page
    has only the club's."""
    desk = (gettext("Organise"), reverse("desk", args=[club.slug]))
    return [*club_crumbs(club), desk, *further]


def player_crumbs(club: Club, player: Player | None = None) -> list[tuple[str, str]]:
    """Return the crumbs of the list of players, or of the pages of one player."""
    crumbs = [
        *club_crumbs(club),
        (gettext("Players"), reverse("club-players", args=[club.slug])),
    ]
    if player is not None:
        crumbs.append((player.name, reverse("club-player", args=[club.slug, player.public_id])))
    return crumbs


def open_crumbs(
    roles: Collection[str], club: Club, crumbs: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Return those crumbs that a reader with these roles in the club may open; a helper without a
    role may not open all."""
    closed_urls = set()
    if Role.ORGANISER not in roles:
        closed_urls.add(reverse("desk-events", args=[club.slug]))
    if not roles:
        closed_urls.add(reverse("desk", args=[club.slug]))
    return [(label, url) for label, url in crumbs if url not in closed_urls]
