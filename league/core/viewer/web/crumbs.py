"""The way to the pages of a club."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext

from league.core.club.models import Club
from league.core.player.models import Player


def club_crumbs(club: Club) -> list[tuple[str, str]]:
    """The way to a page below that of a club."""
    return [(club.name, reverse("club", args=[club.slug]))]


def player_crumbs(club: Club, player: Player | None = None) -> list[tuple[str, str]]:
    """The way to the list of players; that to the pages of one goes on with the player's own."""
    crumbs = [
        *club_crumbs(club),
        (gettext("Players"), reverse("club-players", args=[club.slug])),
    ]
    if player is not None:
        crumbs.append((player.name, reverse("club-player", args=[club.slug, player.public_id])))
    return crumbs
