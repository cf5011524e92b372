"""The bases of views of events: who looks, and who changes something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.functional import cached_property

from league.clubs.models import Club
from league.events.models import Event
from league.events.queries.access import event_for, event_for_organiser
from league.events.queries.event import event_versions
from league.seasons.api.view import SeenView
from league.seasons.api.writing import WriteView


class EventView(SeenView):
    """A view of an event, or of something that hangs on it."""

    @cached_property
    def event(self) -> Event:
        """The event of the address. Raises `Event.DoesNotExist` where the viewer may not see it."""
        club = self.kwargs["club"]
        return (event_for_organiser if self.is_hidden else event_for)(self.viewer(club), club, self.kwargs["event"])

    @cached_property
    def club(self) -> Club:
        """The event's club."""
        return self.event.club

    def get_object(self) -> Any:
        """The event."""
        return self.event

    def versions(self) -> Sequence[object] | None:
        """The versions of all that is told of an event, and whether the key that asks is another club's."""
        return (*event_versions(self.event), self.is_foreign(self.club.slug))

    @cached_property
    def runs(self) -> bool:
        """Tell whether the viewer runs the event."""
        return self.viewer(self.club.slug).user.has_perm("league.manage_event", self.event)

    @cached_property
    def scores(self) -> bool:
        """Tell whether the viewer enters the event's results."""
        return self.viewer(self.club.slug).user.has_perm("league.score_event", self.event)


class EventWriteView(EventView, WriteView):
    """A view that changes something of an event."""

    right = "league.manage_event"
    refusal = "Organisers of the club or the event may do this."

    def ground(self) -> Event | Club:
        """The event."""
        return self.event
