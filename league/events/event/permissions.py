"""Who may do what at an event: predicates by role in its club, or for this event alone."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.db.models import Q, QuerySet

from league.core.member.models.member import Membership, Role
from league.core.viewer.permissions import Account, rights_add
from league.events.event.models import Event
from league.events.helper.models import Helper

RUNNERS: Final = (Role.ORGANISER,)
"""The roles of those who run an event."""
SCORERS: Final = (Role.SCORER, Role.ORGANISER)
"""The roles of those who enter results and check in."""
RULERS: Final = (Role.ARBITER, Role.ORGANISER)
"""The roles of those who correct what was played."""
WORKERS: Final = (Role.ORGANISER, Role.SCORER, Role.ARBITER)
"""The roles of those who have something to do at an event."""


def with_role(user: Account, roles: Collection[Role], event: str = "") -> Q:
    """Say what holds of an event at which an account has one of the roles, in its club or for the
    event; a superuser has them all. `event`: the way to it from the rows that are filtered, with
    `__` at its end."""
    if user.is_authenticated and user.is_superuser:
        return ~Q(pk__in=[])  # an empty Q would vanish in an “or”
    members = Membership.objects.filter(user=user.pk, role__in=roles).values("club")
    helpers = helper_roles(user).filter(role__in=roles).values("event")
    return Q((f"{event}club__in", members)) | Q((f"{event}pk__in", helpers))


def has_event_role(roles: Collection[Role], user: Account, event: Event) -> bool:
    """True if the account has one of the roles in the event's club, or for the event. One query at
    most."""
    return (
        user.is_authenticated and Event.objects.filter(with_role(user, roles), pk=event.pk).exists()
    )


def helper_roles(user: Account) -> QuerySet[Helper]:
    """The roles for single events that an account has now."""
    return Helper.objects.filter(user=user.pk, ended_at=None)


RIGHTS: Final[dict[str, Collection[Role]]] = {
    "league.manage_event": RUNNERS,
    "league.score_event": SCORERS,
    "league.rule_event": RULERS,
    "league.enter_event": WORKERS,
}
"""The roles, in its club or for the event alone, that give each right at an event."""
rights_add(RIGHTS, has_event_role)
