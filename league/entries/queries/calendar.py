"""The dates of an account’s own calendar."""

from __future__ import annotations

from league.clubs.models import User
from league.clubs.queries.access import Viewer
from league.entries.models import Entry
from league.entries.queries.entry import own_entries
from league.events.models import Event
from league.events.queries.access import visible_events
from league.events.queries.calendar import _latest


def own_events(user: User) -> list[Event]:
    """The events that the account's players have a place in, as `club_events`."""
    entered = own_entries(user).filter(status=Entry.Status.ENTERED).values("event")
    return _latest(visible_events(Viewer(user)).filter(pk__in=entered))
