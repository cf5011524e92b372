"""Permissions at an event, by the role of an account in its club or for this event alone."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.db.models import Q, QuerySet

from league.core.member.models.member import Membership, Role
from league.core.viewer.permissions import Account, rights_add
from league.events.event.models import Event
from league.events.helper.models import Helper

RUNNERS: Final = (Role.ORGANISER,)
"""The roles that run an event."""
SCORERS: Final = (Role.SCORER, Role.ORGANISER)
"""The roles that enter results and check players in."""
RULERS: Final = (Role.ARBITER, Role.ORGANISER)
"""The roles that correct results."""
WORKERS: Final = (Role.ORGANISER, Role.SCORER, Role.ARBITER)
"""The roles with something to do at an event."""


def with_role(user: Account, roles: Collection[Role], event: str = "") -> Q:
    """Return the condition for events at which an account has one of the roles, in the club or for
    the event; a superuser has them all.

    `event`: the path from the filtered rows to the event, ending with `__`.
    """
    if user.is_authenticated and user.is_superuser:
        return ~Q(pk__in=[])  # an empty Q would vanish in an “or”
    members = Membership.objects.filter(user=user.pk, role__in=roles).values("club")
    helpers = helper_roles(user).filter(role__in=roles).values("event")
    return Q((f"{event}club__in", members)) | Q((f"{event}pk__in", helpers))


def has_event_role(roles: Collection[Role], user: Account, event: Event) -> bool:
    """Return True if the account has one of the roles in the event's club, or for the event. One
    query at most.
    """
    if not user.is_authenticated:
        return False
    return Event.objects.filter(with_role(user, roles), pk=event.pk).exists()


def helper_roles(user: Account) -> QuerySet[Helper]:
    """Return the current roles of an account for single events."""
    return Helper.objects.filter(user=user.pk, ended_at=None)


RIGHTS: Final[dict[str, Collection[Role]]] = {
    "league.manage_event": RUNNERS,
    "league.score_event": SCORERS,
    "league.rule_event": RULERS,
    "league.enter_event": WORKERS,
}
"""The roles, in the club or for the event alone, that give each permission at an event."""
rights_add(RIGHTS, has_event_role)
