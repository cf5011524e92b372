"""The loaders of entries, for their owners and for organisers."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils import timezone

from league.core.frame.letter_link import digest_of
from league.core.viewer.queries.access import Viewer
from league.events.entry.models import CONFIRMED_WITHIN, Entry, EntryByMail
from league.events.event.models import Event
from league.events.event.queries.access import event_for_organiser


def entry_of(event: Event, public_id: str) -> Entry:
    """Return an entry of an event that a loader has checked, with its player. Raise
    `Entry.DoesNotExist`.
    """
    return Entry.objects.select_related("player", "substitutes").get(
        event=event, public_id=public_id
    )


def entry_for_organiser(viewer: Viewer, club_slug: str, event_slug: str, public_id: str) -> Entry:
    """Return an entry of an event for the event's organisers, with its player and event. Raise
    `ObjectDoesNotExist` otherwise.
    """
    event = event_for_organiser(viewer, club_slug, event_slug)
    entry = entry_of(event, public_id)
    entry.event = event
    return entry


def entry_for(viewer: Viewer, public_id: str) -> Entry:
    """Return an entry with player, event and club, for its owner and for those who check in at the
    event.

    Raise `Entry.DoesNotExist` otherwise.
    """
    entries = Entry.objects.select_related(
        "player__merged_into", "event__club", "event__season__ranking"
    )
    entry = entries.get(public_id=public_id)
    if not is_own(viewer, entry) and not viewer.user.has_perm("league.score_event", entry.event):
        raise Entry.DoesNotExist
    return entry


def is_own(viewer: Viewer, entry: Entry) -> bool:
    """Return True if an entry is that of a player of the viewer's account."""
    if not viewer.user.is_authenticated:
        return False
    player = entry.player
    merged_into = player.merged_into
    if merged_into is not None and merged_into.user_id == viewer.user.pk:
        return True
    return player.user_id == viewer.user.pk


def asked_by_mail(event: Event) -> QuerySet[EntryByMail]:
    """Return the unconfirmed requests to enter an event without an account, the latest first."""
    requests = EntryByMail.objects.filter(
        event=event, entry=None, asked_at__gt=timezone.now() - CONFIRMED_WITHIN
    )
    return requests.order_by("-asked_at", "-pk")


def entry_by_mail_for_bearer(token: str) -> EntryByMail:
    """Return the request that an email's link opens, with event, club and entry.

    Raise `EntryByMail.DoesNotExist` if there is none, or if the link has expired.
    """
    requests = EntryByMail.objects.select_related(
        "event__club", "event__season__ranking", "entry__player"
    )
    is_confirmed = Q(entry__isnull=False)
    is_recent = Q(asked_at__gt=timezone.now() - CONFIRMED_WITHIN)
    by_mail = requests.filter(is_confirmed | is_recent).get(digests__contains=[digest_of(token)])
    if by_mail.entry is not None:
        by_mail.entry.event = by_mail.event
    return by_mail
