"""The loaders of events and what belongs to them. Views get these only from here, and only if the
viewer may see them.

Invisible rows are treated as if they didn't exist.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from django.db.models import Q, QuerySet, Value

from league.core.club.models import Club
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
    """Return the events that the viewer may see: those of visible seasons. Drafts, including
    cancelled ones, are visible to organisers and helpers only.
    """
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


class Rights(NamedTuple):
    """Everything on which a viewer's rights depend: whether the viewer is a superuser, the roles,
    each with the row ids of its club and its event (0: all events), and the season links that were
    followed. Viewers with the same rights see the same, apart from what is their own.
    """

    is_superuser: bool
    roles: list[tuple[int, int, str]]
    links: list[str]

    def works_at(self, event: Event) -> bool:
        """Return True if the viewer has something to do at an event, like the right
        `league.enter_event`.
        """
        own_roles = {
            role
            for club, only_event, role in self.roles
            if club == event.club_id and only_event in (0, event.pk)
        }
        return self.is_superuser or not own_roles.isdisjoint(WORKERS)


def rights_of(viewer: Viewer, club: Club | None = None) -> Rights:
    """Return a viewer's rights everywhere, or in one club alone. One query; none if nobody is
    signed in.
    """
    user = viewer.user
    links = sorted(viewer.keys)
    if not user.is_authenticated:
        return Rights(False, [], links)
    members = Membership.objects.filter(user=user.pk)
    helpers = helper_roles(user)
    if club is not None:
        members = members.filter(club=club)
        helpers = helpers.filter(event__club=club)
    roles = members.values_list("club", Value(0), "role").union(
        helpers.values_list("event__club", "event", "role")
    )
    return Rights(user.is_superuser, sorted(roles), links)


def event_for(viewer: Viewer, club_slug: str, slug: str) -> Event:
    """Return an event with its club, season and ranking. Raise `Event.DoesNotExist`."""
    return _event_of(visible_events(viewer), club_slug, slug)


def event_for_organiser(viewer: Viewer, club_slug: str, slug: str) -> Event:
    """Return an event for organisers of its club or of the event. Raise `Event.DoesNotExist`
    otherwise."""
    return _event_with(viewer, club_slug, slug, RUNNERS)


def event_for_scorer(viewer: Viewer, club_slug: str, slug: str) -> Event:
    """Return an event for the people who check in players and enter results there. Raise
    `Event.DoesNotExist` otherwise."""
    return _event_with(viewer, club_slug, slug, SCORERS)


def event_for_arbiter(viewer: Viewer, club_slug: str, slug: str) -> Event:
    """Return an event for its arbiters and organisers. Raise `Event.DoesNotExist` otherwise."""
    return _event_with(viewer, club_slug, slug, RULERS)


def event_for_worker(viewer: Viewer, club_slug: str, slug: str) -> Event:
    """Return an event for everybody with a task there. Raise `Event.DoesNotExist` otherwise."""
    return _event_with(viewer, club_slug, slug, WORKERS)


def event_for_club(viewer: Viewer, club_slug: str, slug: str) -> Event:
    """Return an event for the organisers of its club only. Raise `ObjectDoesNotExist` otherwise."""
    return with_right(viewer, event_for(viewer, club_slug, slug), "league.manage_club", "club")


def _event_with(viewer: Viewer, club_slug: str, slug: str, roles: Collection[Role]) -> Event:
    return _event_of(visible_events(viewer).filter(with_role(viewer.user, roles)), club_slug, slug)


def _event_of(events: QuerySet[Event], club_slug: str, slug: str) -> Event:
    return events.select_related("club", "season__ranking").get(club__slug=club_slug, slug=slug)


def helper_for_club(viewer: Viewer, club_slug: str, slug: str, user: str, role: str) -> Helper:
    """Return a role for an event, by the account's public id, for the organisers of its club. Raise
    `DoesNotExist` otherwise.
    """
    return Helper.objects.select_related("event__club", "user").get(
        event=event_for_club(viewer, club_slug, slug), user__public_id=user, role=role
    )


def helper_invitation_for_club(
    viewer: Viewer, club_slug: str, slug: str, invitation: str
) -> HelperInvitation:
    """Return an open invitation of a helper, by its public id, for the organisers of the club.
    Raise `DoesNotExist` otherwise.
    """
    return HelperInvitation.objects.select_related("event__club").get(
        event=event_for_club(viewer, club_slug, slug), public_id=invitation
    )
