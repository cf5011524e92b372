"""Helpers of an event, the invitations that wait, and what roles for events mean to lower nouns."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import QuerySet

from league.core.club.models import Club
from league.core.frame.letter_link import digest_of
from league.core.frame.name_key import NameKey
from league.core.member.queries import oldest_good
from league.core.viewer.domain import OPERATOR, event_role
from league.core.viewer.permissions import Account
from league.core.viewer.queries.author import acting_role
from league.events.event.models import Event
from league.events.event.permissions import helper_roles
from league.events.helper.models import Helper, HelperInvitation


def helpers_of(event: Event) -> QuerySet[Helper]:
    """Who has a role for an event now, with accounts, by name."""
    return (
        Helper.objects.select_related("user")
        .filter(event=event, ended_at=None)
        .order_by(NameKey("user__username"), "role")
    )


def helper_invitations_of(event: Event) -> QuerySet[HelperInvitation]:
    """The invitations to an event that wait, with who made them, the latest first."""
    waiting = HelperInvitation.objects.filter(event=event, created_at__gt=oldest_good())
    return waiting.select_related("invited_by").order_by("-created_at", "-pk")


def helper_invitation_for_bearer(token: str) -> HelperInvitation:
    """The invitation that a link opens, with event, club and who made it, for whoever has the link.

    Raises `HelperInvitation.DoesNotExist`, also once it is too old.
    """
    return _good().get(digest=digest_of(token))


def helper_invitation_of_code(code: str) -> HelperInvitation:
    """The invitation that a code opens, as `helper_invitation_for_bearer`; spaces, hyphens and
    small letters are as good."""
    return _good().get(code="".join(code.upper().replace("-", " ").split()))


def _good() -> QuerySet[HelperInvitation]:
    invitations = HelperInvitation.objects.select_related(
        "event__club", "event__season__ranking", "invited_by"
    )
    return invitations.filter(created_at__gt=oldest_good())


def event_acting_role(event: Event, account_id: int | None) -> str:
    """The role in which an account acts at an event, as the log notes it: one in the club, else one
    for this event, or `OPERATOR`. Two queries at most."""
    in_club = acting_role(event.club_id, account_id)
    if account_id is None or in_club != OPERATOR:
        return in_club
    roles = set(
        Helper.objects.filter(event=event, user=account_id, ended_at=None).values_list(
            "role", flat=True
        )
    )
    return event_role(roles) or in_club


def seasons_helped(user: Account) -> QuerySet[Helper]:
    """The row ids of the seasons at whose events an account helps."""
    return helper_roles(user).values("event__season")  # type: ignore[return-value]


def helpers_among(club: Club, accounts: Collection[int]) -> set[int]:
    """Which of these accounts help at an event of the club, or did."""
    return set(
        Helper.objects.filter(event__club=club, user__in=accounts).values_list("user", flat=True)
    )
