"""Who may do what at an event: predicates by role in its club, or for this event alone."""

from __future__ import annotations

from typing import Final

import rules
from django.db.models import QuerySet

from league.clubs.models import Role
from league.clubs.permissions import Account, has_role
from league.events.models import Event, Helper

WORKERS: Final = (Role.ORGANISER, Role.SCORER, Role.ARBITER)
"""The roles of those who have something to do at an event."""


def has_event_role(user: Account, event: Event, *roles: Role) -> bool:
    """True if the account has one of the roles in the event's club, or for the event; a superuser has them all."""
    if has_role(user, event.club, *roles):
        return True
    return user.is_authenticated and helper_roles(user).filter(event=event, role__in=roles).exists()


def helper_roles(user: Account) -> QuerySet[Helper]:
    """The roles for single events that an account has now."""
    return Helper.objects.filter(user=user.pk, ended_at=None)


@rules.predicate
def runs_event(user: Account, event: Event) -> bool:
    """An organiser of the club, or of this event."""
    return has_event_role(user, event, Role.ORGANISER)


@rules.predicate
def scores_event(user: Account, event: Event) -> bool:
    """Somebody who enters results and checks in: a scorer or organiser of the club, or of this event."""
    return has_event_role(user, event, Role.SCORER, Role.ORGANISER)


@rules.predicate
def rules_at_event(user: Account, event: Event) -> bool:
    """Somebody who corrects what was played: an arbiter or organiser of the club, or of this event."""
    return has_event_role(user, event, Role.ARBITER, Role.ORGANISER)


@rules.predicate
def works_at_event(user: Account, event: Event) -> bool:
    """Somebody who has something to do at the event, in whatever role."""
    return has_event_role(user, event, *WORKERS)


rules.add_perm("league.manage_event", runs_event)
rules.add_perm("league.score_event", scores_event)
rules.add_perm("league.rule_event", rules_at_event)
rules.add_perm("league.enter_event", works_at_event)
