"""The dates of an account’s own calendar."""

from __future__ import annotations

from league.core.account.models import User
from league.core.viewer.queries.access import Viewer
from league.events.calendar.queries.calendar import _latest
from league.events.entry.models import Entry
from league.events.entry.queries.entry import own_entries
from league.events.event.models import Event
from league.events.event.queries.access import visible_events


def own_events(user: User) -> list[Event]:
    """The events that the account's players have a place in, as `club_events`."""
    entered = own_entries(user).filter(status=Entry.Status.ENTERED).values("event")
    return _latest(visible_events(Viewer(user)).filter(pk__in=entered))
