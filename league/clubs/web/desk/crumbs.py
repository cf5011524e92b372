"""The way to a page on which a club is run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext

from league.clubs.models import Club
from league.clubs.permissions import Account

RIGHTS: Final = {"desk": "league.enter_desk", "desk-events": "league.manage_club"}
"""What one has to have for pages that are above others which more people may open."""


def crumbs(club: Club, *further: tuple[str, str]) -> list[tuple[str, str]]:
    """The way to a page of the desk; the desk's own page is not below itself."""
    desk = (gettext("Organise"), reverse("desk", args=[club.slug]))
    return [(club.name, reverse("club", args=[club.slug])), desk, *further]


def open_crumbs(user: Account, club: Club, way: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The way to a page without those parts that the reader may not open, as a helper at one event may not. Two queries
    at most, none but for pages of the desk."""
    rights = {reverse(name, args=[club.slug]): right for name, right in RIGHTS.items()}
    return [(label, url) for label, url in way if url not in rights or user.has_perm(rights[url], club)]
