"""The loaders of entries: for whom they belong to, and for organisers."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils import timezone

from league.core.frame.letter_link import digest_of
from league.core.viewer.queries.access import Viewer
from league.events.entry.models import CONFIRMED_WITHIN, Entry, EntryByMail
from league.events.event.models import Event
from league.events.event.queries.access import event_for_organiser


def entry_of(event: Event, public_id: str) -> Entry:
    """An entry of an event that comes from a loader, with its player. Raises
    `Entry.DoesNotExist`."""
    return Entry.objects.select_related("player", "substitutes").get(
        event=event, public_id=public_id
    )


def entry_for_organiser(viewer: Viewer, club_slug: str, event_slug: str, public_id: str) -> Entry:
    """An entry of an event for its organisers, with its player and that event. Raises
    `ObjectDoesNotExist`."""
    event = event_for_organiser(viewer, club_slug, event_slug)
    entry = entry_of(event, public_id)
    entry.event = event
    return entry


def entry_for(viewer: Viewer, public_id: str) -> Entry:
    """An entry with player, event and club, for whom it belongs to and for those who check in
    there.

    Raises `Entry.DoesNotExist`.
    """
    entries = Entry.objects.select_related(
        "player__merged_into", "event__club", "event__season__ranking"
    )
    entry = entries.get(public_id=public_id)
    if not is_own(viewer, entry) and not viewer.user.has_perm("league.score_event", entry.event):
        raise Entry.DoesNotExist
    return entry


def is_own(viewer: Viewer, entry: Entry) -> bool:
    """True if an entry is that of a player of the viewer's account."""
    player = entry.player
    accounts = {player.user_id, player.merged_into.user_id if player.merged_into else None} - {None}
    return viewer.user.is_authenticated and viewer.user.pk in accounts


def asked_by_mail(event: Event) -> QuerySet[EntryByMail]:
    """Who asked to enter an event without an account and hasn't confirmed it yet, the latest
    first."""
    wishes = EntryByMail.objects.filter(
        event=event, entry=None, asked_at__gt=timezone.now() - CONFIRMED_WITHIN
    )
    return wishes.order_by("-asked_at", "-pk")


def entry_by_mail_for_bearer(token: str) -> EntryByMail:
    """Read what a letter's link opens, with event, club and entry, for whoever has the link.

    Raises `EntryByMail.DoesNotExist`, also once it is too old.
    """
    entries = EntryByMail.objects.select_related(
        "event__club", "event__season__ranking", "entry__player"
    )
    good = entries.filter(
        Q(entry__isnull=False) | Q(asked_at__gt=timezone.now() - CONFIRMED_WITHIN)
    )
    by_mail = good.get(digests__contains=[digest_of(token)])
    if by_mail.entry is not None:
        by_mail.entry.event = by_mail.event
    return by_mail
