"""Queries of an event's helpers and invitations, and of roles for events on behalf of lower
nouns.
"""

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
    """Return the current roles for an event, with accounts, by name."""
    helpers = Helper.objects.select_related("user").filter(event=event, ended_at=None)
    return helpers.order_by(NameKey("user__username"), "role")


def helper_invitations_of(event: Event) -> QuerySet[HelperInvitation]:
    """Return the open invitations to an event, with the accounts that made them, the latest
    first.
    """
    waiting = HelperInvitation.objects.filter(event=event, created_at__gt=oldest_good())
    return waiting.select_related("invited_by").order_by("-created_at", "-pk")


def helper_invitation_for_bearer(token: str) -> HelperInvitation:
    """Return the invitation that a link opens, with event, club and the account that made it.

    Raise `HelperInvitation.DoesNotExist` if there is none, or if it has expired.
    """
    return _valid_invitations().get(digest=digest_of(token))


def helper_invitation_of_code(code: str) -> HelperInvitation:
    """Return the invitation that a code opens, with event, club and the account that made it.
    Spaces, hyphens and capital letters don't matter. Raise `HelperInvitation.DoesNotExist`.
    """
    normalised = "".join(code.upper().replace("-", " ").split())
    return _valid_invitations().get(code=normalised)


def _valid_invitations() -> QuerySet[HelperInvitation]:
    invitations = HelperInvitation.objects.select_related(
        "event__club", "event__season__ranking", "invited_by"
    )
    return invitations.filter(created_at__gt=oldest_good())


def event_acting_role(event: Event, account_id: int | None) -> str:
    """Return the role in which an account acts at an event, for the log: one in the club, or else
    one for this event, or else `OPERATOR`. Two queries at most.
    """
    in_club = acting_role(event.club_id, account_id)
    if account_id is None or in_club != OPERATOR:
        return in_club
    helpers = Helper.objects.filter(event=event, user=account_id, ended_at=None)
    roles = set(helpers.values_list("role", flat=True))
    return event_role(roles) or in_club


def seasons_helped(user: Account) -> QuerySet[Helper]:
    """Return the row ids of the seasons in which an account helps at an event."""
    return helper_roles(user).values("event__season")  # type: ignore[return-value]


def helpers_among(club: Club, accounts: Collection[int]) -> set[int]:
    """Return which of these accounts help at an event of the club, or helped before."""
    helpers = Helper.objects.filter(event__club=club, user__in=accounts)
    return set(helpers.values_list("user", flat=True))
