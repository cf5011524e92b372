"""Who looks, and the loader of clubs: views get clubs only from here."""

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
    """Who looks: an account or nobody, and the keys of seasons' links that this browser has
    followed."""

    user: Account
    keys: frozenset[str] = frozenset()


def club_for(viewer: Viewer, slug: str) -> Club:
    """The club of that slug. Raises `Club.DoesNotExist`. A club's name is public; its seasons say
    who sees them."""
    return Club.objects.get(slug=slug)


def listed_for(viewer: Viewer) -> QuerySet[Club]:
    """The clubs that lists show to the viewer: all that want to be listed, and those that the
    viewer has a role in."""
    user = viewer.user
    if user.is_superuser:
        return Club.objects.all()
    return Club.objects.filter(
        Q(listed=True) | Q(pk__in=Membership.objects.filter(user=user.pk).values("club"))
    )


def log_for(viewer: Viewer, slug: str) -> LogHead:
    """The end of a club's log, with the club, for those who may read it, in one query. Raises
    `DoesNotExist`."""
    heads = LogHead.objects.select_related("club")
    if not viewer.user.is_superuser:
        heads = heads.filter(
            club__in=Membership.objects.filter(user=viewer.user.pk, role__in=LOG_READERS).values(
                "club"
            )
        )
    return heads.get(club__slug=slug)


def club_for_member(viewer: Viewer, slug: str) -> Club:
    """The club, for those who have a role in it. Raises `Club.DoesNotExist`."""
    return with_right(viewer, club_for(viewer, slug), "league.enter_desk")


def club_for_organiser(viewer: Viewer, slug: str) -> Club:
    """The club, for its organisers. Raises `Club.DoesNotExist`."""
    return with_right(viewer, club_for(viewer, slug), "league.manage_club")


def club_for_arbiter(viewer: Viewer, slug: str) -> Club:
    """The club, for its arbiters and organisers. Raises `Club.DoesNotExist`."""
    return with_right(viewer, club_for(viewer, slug), "league.correct_games")


def with_right(viewer: Viewer, row: R, right: str, of: str = "") -> R:
    """What a loader gives, for who has a right in it or in that attribute `of` it. Raises
    `ObjectDoesNotExist`."""
    ground: Any = attrgetter(of)(row) if of else row
    if not viewer.user.has_perm(right, ground):
        raise ObjectDoesNotExist
    return row


def member_for_organiser(viewer: Viewer, slug: str, user: str) -> tuple[Club, User]:
    """A club and an account that has a role in it, by its public id, for organisers. Raises
    `DoesNotExist`."""
    club = club_for_organiser(viewer, slug)
    return club, User.objects.distinct().get(memberships__club=club, public_id=user)


def invitation_for_organiser(viewer: Viewer, slug: str, invitation: str) -> Invitation:
    """An invitation that waits, by its public id, with the club, for organisers. Raises
    `DoesNotExist`."""
    return Invitation.objects.select_related("club").get(
        club=club_for_organiser(viewer, slug), public_id=invitation
    )


def invitation_for_bearer(token: str) -> Invitation:
    """The invitation that a link opens, with the club and who sent it, for whoever has the link.

    Raises `Invitation.DoesNotExist`, also once it is too old.
    """
    good = Invitation.objects.select_related("club", "invited_by").filter(
        created_at__gt=oldest_good()
    )
    return good.get(digest=digest_of(token))


def key_for(viewer: Viewer, slug: str, key: str) -> ApiKey:
    """A key by its public id, with club and account, for the account that it acts as and for
    organisers.

    Raises `DoesNotExist`.
    """
    club = club_for_member(viewer, slug)
    keys = ApiKey.objects.select_related("club", "user").filter(club=club)
    if not viewer.user.has_perm("league.manage_club", club):
        keys = keys.filter(user=viewer.user.pk)
    return keys.get(public_id=key)


def player_for_organiser(viewer: Viewer, slug: str, player: str) -> Player:
    """A player by the public id, with club, account and who it is merged into, for organisers of
    the club.

    Raises `Club.DoesNotExist` or `Player.DoesNotExist`.
    """
    return Player.objects.select_related("club", "user", "merged_into", "same_as").get(
        club=club_for_organiser(viewer, slug), public_id=player
    )


def is_link(key: str) -> bool:
    """True if the key opens a season that is seen by link."""
    return Club.objects.filter(seasons__visibility="link", seasons__link_token=key).exists()
