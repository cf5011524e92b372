"""Who looks, and the loader of clubs: views get clubs only from here."""

from __future__ import annotations

from dataclasses import dataclass

from league.clubs.models import Club, Membership, Player
from league.clubs.permissions import LOG_READERS, Account
from league.log.models import LogHead


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: an account or nobody, and the keys of seasons' links that this browser has followed."""

    user: Account
    keys: frozenset[str] = frozenset()


def club_for(viewer: Viewer, slug: str) -> Club:
    """The club of that slug. Raises `Club.DoesNotExist`. A club's name is public; its seasons say who sees them."""
    return Club.objects.get(slug=slug)


def log_for(viewer: Viewer, slug: str) -> LogHead:
    """The end of a club's log, with the club, for those who may read it, in one query. Raises `DoesNotExist`."""
    heads = LogHead.objects.select_related("club")
    if not viewer.user.is_superuser:
        readers = Membership.objects.filter(user=viewer.user.pk, role__in=LOG_READERS).values("club")
        heads = heads.filter(club__in=readers)
    return heads.get(club__slug=slug)


def club_for_organiser(viewer: Viewer, slug: str) -> Club:
    """The club, for its organisers. Raises `Club.DoesNotExist`."""
    club = club_for(viewer, slug)
    if not viewer.user.has_perm("league.manage_players", club):
        raise Club.DoesNotExist
    return club


def player_for_organiser(viewer: Viewer, slug: str, player: str) -> Player:
    """A player by the public id, with club, account and who it is merged into, for organisers of the club.

    Raises `Club.DoesNotExist` or `Player.DoesNotExist`.
    """
    club = club_for_organiser(viewer, slug)
    return Player.objects.select_related("club", "user", "merged_into", "same_as").get(club=club, public_id=player)
