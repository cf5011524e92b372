"""The loaders: views get events and what hangs on them only from here, and only what the viewer may see.

What may not be seen is answered as if it didn't exist.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet

from league.clubs.models import Club, Membership, Role
from league.clubs.queries.access import Viewer
from league.events.models import Event
from league.events.models.event import ANNOUNCED
from league.seasons.queries.access import visible_seasons


def visible_events(viewer: Viewer) -> QuerySet[Event]:
    """Events that the viewer may see: those of seasons that the viewer sees; drafts, cancelled ones too, for organisers
    alone."""
    events = Event.objects.filter(season__in=visible_seasons(viewer))
    user = viewer.user
    if user.is_authenticated and user.is_superuser:
        return events
    organised = Club.objects.filter(pk__in=Membership.objects.filter(user=user.pk, role=Role.ORGANISER).values("club"))
    return events.filter(ANNOUNCED | Q(club__in=organised))


def event_for(viewer: Viewer, club_slug: str, slug: str) -> Event:
    """An event with its club, season and ranking. Raises `Event.DoesNotExist`."""
    events = visible_events(viewer).select_related("club", "season__ranking")
    return events.get(club__slug=club_slug, slug=slug)


def event_for_organiser(viewer: Viewer, club_slug: str, slug: str) -> Event:
    """An event for the organisers of its club. Raises `Event.DoesNotExist`."""
    event = event_for(viewer, club_slug, slug)
    if not viewer.user.has_perm("league.manage_club", event.club):
        raise Event.DoesNotExist
    return event
