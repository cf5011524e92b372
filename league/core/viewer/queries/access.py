"""The viewer, and the loaders of clubs: views get clubs only from here."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Q, QuerySet

from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.letter_link import digest_of
from league.core.key.models import ApiKey
from league.core.log.models import LogHead
from league.core.member.models.invitation import Invitation
from league.core.member.models.member import Membership
from league.core.member.queries import oldest_good
from league.core.player.models import Player
from league.core.viewer.permissions import LOG_READERS, Account

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Viewer:
    """An account or nobody, and the keys of seasons' links that this browser has followed."""

    user: Account
    keys: frozenset[str] = frozenset()


def club_for(viewer: Viewer, slug: str) -> Club:
    """Return the club with a slug. Raise `Club.DoesNotExist`. `viewer` isn't used: a club's name is
    public, and its seasons have rules of their own."""
    return Club.objects.get(slug=slug)


def listed_for(viewer: Viewer) -> QuerySet[Club]:
    """Return the clubs that lists show to the viewer: listed ones, and those in which the viewer
    has a role."""
    user = viewer.user
    if user.is_superuser:
        return Club.objects.all()
    return Club.objects.filter(
        Q(listed=True) | Q(pk__in=Membership.objects.filter(user=user.pk).values("club"))
    )


def log_for(viewer: Viewer, slug: str) -> LogHead:
    """Return the end of a club's log, with the club, for those who may read it, in one query. Raise
    `DoesNotExist` otherwise."""
    heads = LogHead.objects.select_related("club")
    if not viewer.user.is_superuser:
        reader_roles = Membership.objects.filter(user=viewer.user.pk, role__in=LOG_READERS)
        heads = heads.filter(club__in=reader_roles.values("club"))
    return heads.get(club__slug=slug)


def club_for_member(viewer: Viewer, slug: str) -> Club:
    """Return the club for viewers with a role in it. Raise `Club.DoesNotExist` otherwise."""
    return with_right(viewer, club_for(viewer, slug), "league.enter_desk")


def club_for_organiser(viewer: Viewer, slug: str) -> Club:
    """Return the club for its organisers. Raise `Club.DoesNotExist` otherwise."""
    return with_right(viewer, club_for(viewer, slug), "league.manage_club")


def club_for_arbiter(viewer: Viewer, slug: str) -> Club:
    """Return the club for its arbiters and organisers. Raise `Club.DoesNotExist` otherwise."""
    return with_right(viewer, club_for(viewer, slug), "league.correct_games")


def with_right(viewer: Viewer, row: R, right: str, of: str = "") -> R:
    """Return the row if the viewer has a right to it, or to what its attribute `of` holds. Raise
    `ObjectDoesNotExist` otherwise."""
    governed: Any = attrgetter(of)(row) if of else row
    if not viewer.user.has_perm(right, governed):
        raise ObjectDoesNotExist
    return row


def member_for_organiser(viewer: Viewer, slug: str, user: str) -> tuple[Club, User]:
    """Return a club and its member with the public id `user`, for organisers. Raise `DoesNotExist`
    otherwise."""
    club = club_for_organiser(viewer, slug)
    return club, User.objects.distinct().get(memberships__club=club, public_id=user)


def invitation_for_organiser(viewer: Viewer, slug: str, invitation: str) -> Invitation:
    """Return the invitation with this public id, with its club, for organisers. Raise
    `DoesNotExist` otherwise."""
    return Invitation.objects.select_related("club").get(
        club=club_for_organiser(viewer, slug), public_id=invitation
    )


def invitation_for_bearer(token: str) -> Invitation:
    """Return the invitation of a link, with its club and sender.

    Raise `Invitation.DoesNotExist` if there is none, or it has expired.
    """
    valid_invitations = Invitation.objects.select_related("club", "invited_by").filter(
        created_at__gt=oldest_good()
    )
    return valid_invitations.get(digest=digest_of(token))


def key_for(viewer: Viewer, slug: str, key: str) -> ApiKey:
    """Return the API key with this public id, with club and account, for its owner and for
    organisers.

    Raise `DoesNotExist` otherwise.
    """
    club = club_for_member(viewer, slug)
    keys = ApiKey.objects.select_related("club", "user").filter(club=club)
    if not viewer.user.has_perm("league.manage_club", club):
        keys = keys.filter(user=viewer.user.pk)
    return keys.get(public_id=key)


def player_for_organiser(viewer: Viewer, slug: str, player: str) -> Player:
    """Return the player with this public id, with club, account and merges, for organisers of the
    club.

    Raise `Club.DoesNotExist` or `Player.DoesNotExist`.
    """
    return Player.objects.select_related("club", "user", "merged_into", "same_as").get(
        club=club_for_organiser(viewer, slug), public_id=player
    )


def is_link(key: str) -> bool:
    """Return True if the key opens a season that can be seen by its link."""
    return Club.objects.filter(seasons__visibility="link", seasons__link_token=key).exists()
