"""The way to the pages of a club and of its desk.

Crumbs are called after the address of the page to whose lower pages they lead: `desk_crumbs`,
`desk_event_crumbs`."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.urls import reverse
from django.utils.translation import gettext

from league.core.club.models import Club
from league.core.member.models.member import Role
from league.core.player.models import Player


def club_crumbs(club: Club) -> list[tuple[str, str]]:
    """The way to a page below that of a club."""
    return [(club.name, reverse("club", args=[club.slug]))]


def desk_crumbs(club: Club, *further: tuple[str, str]) -> list[tuple[str, str]]:
    """The way to a page of the desk; the desk's own page is not below itself."""
    desk = (gettext("Organise"), reverse("desk", args=[club.slug]))
    return [*club_crumbs(club), desk, *further]


def player_crumbs(club: Club, player: Player | None = None) -> list[tuple[str, str]]:
    """The way to the list of players; that to the pages of one goes on with the player's own."""
    crumbs = [
        *club_crumbs(club),
        (gettext("Players"), reverse("club-players", args=[club.slug])),
    ]
    if player is not None:
        crumbs.append((player.name, reverse("club-player", args=[club.slug, player.public_id])))
    return crumbs


def open_crumbs(
    roles: Collection[str], club: Club, way: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    """The way to a page of an event without those parts that a reader with these roles in the club
    may not open, as a helper may not."""
    desk, club_events = reverse("desk", args=[club.slug]), reverse("desk-events", args=[club.slug])
    closed = set() if Role.ORGANISER in roles else {club_events} if roles else {club_events, desk}
    return [(label, url) for label, url in way if url not in closed]
