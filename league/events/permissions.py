"""Who may do what at an event: predicates by role in its club, or for this event alone."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import rules
from django.db.models import Q, QuerySet

from league.clubs.models import Membership, Role
from league.clubs.permissions import Account
from league.events.models import Event, Helper

RUNNERS: Final = (Role.ORGANISER,)
"""The roles of those who run an event."""
SCORERS: Final = (Role.SCORER, Role.ORGANISER)
"""The roles of those who enter results and check in."""
RULERS: Final = (Role.ARBITER, Role.ORGANISER)
"""The roles of those who correct what was played."""
WORKERS: Final = (Role.ORGANISER, Role.SCORER, Role.ARBITER)
"""The roles of those who have something to do at an event."""


def with_role(user: Account, roles: Collection[Role], event: str = "") -> Q:
    """Say what holds of an event at which an account has one of the roles, in its club or for the event; a superuser
    has them all. `event`: the way to it from the rows that are filtered, with `__` at its end."""
    if user.is_authenticated and user.is_superuser:
        return ~Q(pk__in=[])  # an empty Q would vanish in an “or”
    members = Membership.objects.filter(user=user.pk, role__in=roles).values("club")
    helpers = helper_roles(user).filter(role__in=roles).values("event")
    return Q((f"{event}club__in", members)) | Q((f"{event}pk__in", helpers))


def has_event_role(user: Account, event: Event, roles: Collection[Role]) -> bool:
    """True if the account has one of the roles in the event's club, or for the event. One query at most."""
    return user.is_authenticated and Event.objects.filter(with_role(user, roles), pk=event.pk).exists()


def helper_roles(user: Account) -> QuerySet[Helper]:
    """The roles for single events that an account has now."""
    return Helper.objects.filter(user=user.pk, ended_at=None)


@rules.predicate
def runs_event(user: Account, event: Event) -> bool:
    """An organiser of the club, or of this event."""
    return has_event_role(user, event, RUNNERS)


@rules.predicate
def scores_event(user: Account, event: Event) -> bool:
    """Somebody who enters results and checks in: a scorer or organiser of the club, or of this event."""
    return has_event_role(user, event, SCORERS)


@rules.predicate
def rules_at_event(user: Account, event: Event) -> bool:
    """Somebody who corrects what was played: an arbiter or organiser of the club, or of this event."""
    return has_event_role(user, event, RULERS)


@rules.predicate
def works_at_event(user: Account, event: Event) -> bool:
    """Somebody who has something to do at the event, in whatever role."""
    return has_event_role(user, event, WORKERS)


rules.add_perm("league.manage_event", runs_event)
rules.add_perm("league.score_event", scores_event)
rules.add_perm("league.rule_event", rules_at_event)
rules.add_perm("league.enter_event", works_at_event)
