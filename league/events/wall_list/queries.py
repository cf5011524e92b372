"""Queries of claimed players at an event: the wall's code, waiting phones, and tapped names."""

from __future__ import annotations

from django.db.models import QuerySet

from league.core.claim.models import Claim
from league.core.claim.queries import tapped_claims
from league.core.frame.letter_link import digest_of
from league.core.viewer.queries.access import Viewer
from league.events.entry.models import Entry
from league.events.entry.queries.entry import UNCLAIMED
from league.events.event.models import Event
from league.events.event.queries.access import event_for, event_for_scorer
from league.events.wall_list.models import ClaimRequest, WallCode


def event_for_wall(viewer: Viewer, club_slug: str, event_slug: str, code: str) -> Event:
    """Return the event whose code on the wall of the hall is this one. Raise `ObjectDoesNotExist`
    if the event has another code, or the viewer may not see it."""
    event = event_for(viewer, club_slug, event_slug)
    WallCode.objects.get(event=event, code=code)
    return event


def requests_waiting(event: Event) -> QuerySet[ClaimRequest]:
    """Return the requests of phones that wait to be linked to a player without an account at an
    event, the first one first."""
    free = Entry.objects.filter(UNCLAIMED, event=event, status=Entry.Status.ENTERED)
    waiting = ClaimRequest.objects.filter(entry__in=free, status=ClaimRequest.Status.WAITING)
    return waiting.select_related("entry__player", "user").order_by("asked_at", "pk")


def request_of_key(event: Event, key: str) -> ClaimRequest | None:
    """Return the request at an event of the browser with this key, or None."""
    if not key:
        return None
    requests = ClaimRequest.objects.filter(entry__event=event, key=digest_of(key))
    return requests.select_related("entry__player").first()


def claim_request_for_scorer(
    viewer: Viewer, club_slug: str, event_slug: str, request_id: str
) -> ClaimRequest:
    """Return a waiting phone's request, for those who check in at the event. Raise
    `ObjectDoesNotExist` otherwise.
    """
    event = event_for_scorer(viewer, club_slug, event_slug)
    return requests_waiting(event).get(public_id=request_id)


def tapped_at(event: Event) -> QuerySet[Claim]:
    """Return the current claims of an event's players that were made by tapping a name, the latest
    first.
    """
    entries = Entry.objects.filter(event=event)
    players = entries.values("player").union(entries.values("player__merged_into"), all=True)
    claims = tapped_claims().filter(player__in=players).select_related("player", "user")
    return claims.order_by("-claimed_at", "-pk")
