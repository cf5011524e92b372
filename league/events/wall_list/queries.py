"""Who asks to be which player at an event: the code of the wall, the phones that wait, and names
that were tapped."""

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
    """An event whose wall has this code. Raises `ObjectDoesNotExist`."""
    event = event_for(viewer, club_slug, event_slug)
    WallCode.objects.get(event=event, code=code)
    return event


def requests_waiting(event: Event) -> QuerySet[ClaimRequest]:
    """Phones that wait for a name of an event that nobody has taken, the one that asked first at
    the top."""
    free = Entry.objects.filter(UNCLAIMED, event=event, status=Entry.Status.ENTERED)
    waiting = ClaimRequest.objects.filter(entry__in=free, status=ClaimRequest.Status.WAITING)
    return waiting.select_related("entry__player", "user").order_by("asked_at", "pk")


def request_of_key(event: Event, key: str) -> ClaimRequest | None:
    """What the browser with this key has asked for at an event, if it has."""
    asked = (
        ClaimRequest.objects.filter(entry__event=event, key=digest_of(key))
        if key
        else ClaimRequest.objects.none()
    )
    return asked.select_related("entry__player").first()


def claim_request_for_scorer(
    viewer: Viewer, club_slug: str, event_slug: str, request_id: str
) -> ClaimRequest:
    """A phone that waits at an event, for those who check in there. Raises `ObjectDoesNotExist`."""
    return requests_waiting(event_for_scorer(viewer, club_slug, event_slug)).get(
        public_id=request_id
    )


def tapped_at(event: Event) -> QuerySet[Claim]:
    """The names that were tapped and stand, of players who are entered for an event, the latest
    first."""
    entries = Entry.objects.filter(event=event)
    players = entries.values("player").union(entries.values("player__merged_into"), all=True)
    claims = tapped_claims().filter(player__in=players).select_related("player", "user")
    return claims.order_by("-claimed_at", "-pk")
