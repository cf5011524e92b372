"""The dates of calendars: those of a club, and those of an account's own entries."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils import timezone

from league.core.account.models import User
from league.core.club.models import Club
from league.core.viewer.queries.access import Viewer
from league.events.calendar.models import CalendarAddress
from league.events.entry.models import Entry
from league.events.entry.queries.entry import own_entries
from league.events.event.models import Event
from league.events.event.queries.access import visible_events

KEPT: Final = timedelta(days=366)
"""How long past dates stay in a calendar."""
MOST_DATES: Final = 500
ANYBODY: Final = Viewer(AnonymousUser())


def club_events(club: Club) -> list[Event]:
    """Return the public events of a club, in order: those of the last year and all coming ones,
    including cancelled ones; at most the latest 500.
    """
    return _latest(visible_events(ANYBODY).filter(club=club))


def _latest(events: QuerySet[Event]) -> list[Event]:
    recent = events.select_related("club").filter(starts_at__gte=timezone.now() - KEPT)
    latest = list(recent.order_by("-starts_at", "-pk")[:MOST_DATES])
    latest.reverse()
    return latest


def calendar_user(secret: str) -> User:
    """Return the account whose own calendar is at this address. Raise
    `CalendarAddress.DoesNotExist` if there is none.
    """
    addresses = CalendarAddress.objects.select_related("user")
    return addresses.get(secret=secret, user__is_active=True).user


def calendar_secret(user: User) -> str:
    """Return the secret of an account's own calendar, empty if it wasn't created yet."""
    return CalendarAddress.objects.filter(user=user).values_list("secret", flat=True).first() or ""


def own_events(user: User) -> list[Event]:
    """Return the events in which the account's players have a place, in order: those of the last
    year and all coming ones; at most the latest 500."""
    entered = own_entries(user).filter(status=Entry.Status.ENTERED).values("event")
    return _latest(visible_events(Viewer(user)).filter(pk__in=entered))
