"""Who looks, and the loader of clubs: views get clubs only from here."""

from __future__ import annotations

from dataclasses import dataclass

from league.clubs.models import Club
from league.clubs.permissions import Account


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: an account or nobody, and the keys of seasons' links that this browser has followed."""

    user: Account
    keys: frozenset[str] = frozenset()


def club_for(viewer: Viewer, slug: str) -> Club:
    """The club of that slug. Raises `Club.DoesNotExist`. A club's name is public; its seasons say who sees them."""
    return Club.objects.get(slug=slug)
