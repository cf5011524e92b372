"""The loaders: views get events and what hangs on them only from here, and only what the viewer may
see.

What may not be seen is answered as if it didn't exist.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q, QuerySet

from league.core.member.models.member import Membership, Role
from league.core.viewer.queries.access import Viewer, with_right
from league.events.event.models import ANNOUNCED, Event
from league.events.event.permissions import (
    RULERS,
    RUNNERS,
    SCORERS,
    WORKERS,
    helper_roles,
    with_role,
)
from league.events.helper.models import Helper, HelperInvitation
from league.standings.season.queries.access import seen_seasons


def visible_events(viewer: Viewer) -> QuerySet[Event]:
    """Events that the viewer may see: those of seasons that the viewer sees; drafts, cancelled ones
    too, for organisers and helpers alone."""
    events = Event.objects.filter(seen_seasons(viewer, "season__"))
    user = viewer.user
    if not user.is_authenticated:
        return events.filter(ANNOUNCED)
    if user.is_superuser:
        return events
    organised = Membership.objects.filter(user=user.pk, role=Role.ORGANISER).values("club")
    return events.filter(
        ANNOUNCED | Q(club__in=organised) | Q(pk__in=helper_roles(user).values("event"))
    )


def event_for(viewer: Viewer, club_slug: str, slug: str) -> Event:
    """An event with its club, season and ranking. Raises `Event.DoesNotExist`."""
    return _event_of(visible_events(viewer), club_slug, slug)


def event_for_organiser(viewer: Viewer, club_slug: str, slug: str) -> Event:
    """An event for the organisers of its club, and its own. Raises `Event.DoesNotExist`."""
    return _event_with(viewer, club_slug, slug, RUNNERS)


def event_for_scorer(viewer: Viewer, club_slug: str, slug: str) -> Event:
    """An event for those who check in and enter results there. Raises `Event.DoesNotExist`."""
    return _event_with(viewer, club_slug, slug, SCORERS)


def event_for_arbiter(viewer: Viewer, club_slug: str, slug: str) -> Event:
    """An event for those who rule on what was played there. Raises `Event.DoesNotExist`."""
    return _event_with(viewer, club_slug, slug, RULERS)


def event_for_worker(viewer: Viewer, club_slug: str, slug: str) -> Event:
    """An event for all who have something to do there. Raises `Event.DoesNotExist`."""
    return _event_with(viewer, club_slug, slug, WORKERS)


def event_for_club(viewer: Viewer, club_slug: str, slug: str) -> Event:
    """An event for the organisers of its club alone. Raises `ObjectDoesNotExist`."""
    return with_right(viewer, event_for(viewer, club_slug, slug), "league.manage_club", "club")


def _event_with(viewer: Viewer, club_slug: str, slug: str, roles: Collection[Role]) -> Event:
    return _event_of(visible_events(viewer).filter(with_role(viewer.user, roles)), club_slug, slug)


def _event_of(events: QuerySet[Event], club_slug: str, slug: str) -> Event:
    return events.select_related("club", "season__ranking").get(club__slug=club_slug, slug=slug)


def helper_for_club(viewer: Viewer, club_slug: str, slug: str, user: str, role: str) -> Helper:
    """A role for an event, by the account's public id, for the organisers of its club. Raises
    `DoesNotExist`."""
    return Helper.objects.select_related("event__club", "user").get(
        event=event_for_club(viewer, club_slug, slug), user__public_id=user, role=role
    )


def helper_invitation_for_club(
    viewer: Viewer, club_slug: str, slug: str, invitation: str
) -> HelperInvitation:
    """An invitation of a helper that waits, by its public id, for the organisers of the club.
    Raises `DoesNotExist`."""
    return HelperInvitation.objects.select_related("event__club").get(
        event=event_for_club(viewer, club_slug, slug), public_id=invitation
    )
