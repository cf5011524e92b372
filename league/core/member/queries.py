"""The people on a club's desk: members with their roles, invitations, keys."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.name_key import NameKey
from league.core.key.models import ApiKey
from league.core.member.models.invitation import GOOD_FOR, Invitation
from league.core.member.models.member import Membership


def members_of(club: Club) -> QuerySet[User]:
    """Return the accounts with a role in a club, by name, each with its `roles`."""
    roles = ArrayAgg("memberships__role", filter=Q(memberships__club=club))
    return (
        User.objects.filter(memberships__club=club)
        .annotate(roles=roles)
        .order_by(NameKey("username"))
    )


def invitations_of(club: Club) -> QuerySet[Invitation]:
    """Return a club's valid invitations with their senders, the latest first."""
    open_invitations = Invitation.objects.filter(club=club, created_at__gt=oldest_good())
    return open_invitations.select_related("invited_by").order_by("-created_at", "-pk")


def oldest_good() -> datetime:
    """Return the time since which an invitation must have been made to be still valid."""
    return timezone.now() - GOOD_FOR


def keys_of(club: Club, user: User | None) -> QuerySet[ApiKey]:
    """Return the keys to a club, or only those of a user if there is one: valid keys first, then by
    label."""
    keys = ApiKey.objects.filter(club=club)
    if user is not None:
        keys = keys.filter(user=user)
    valid_first = F("revoked_at").desc(nulls_first=True)
    return keys.select_related("user").order_by(valid_first, "label", "pk")


def home_zone(user: User | AnonymousUser) -> str | None:
    """Return the time zone of the club in which an account got its first role; None without a
    role."""
    return (
        Membership.objects.filter(user=user.pk)
        .order_by("pk")
        .values_list("club__timezone", flat=True)
        .first()
    )
