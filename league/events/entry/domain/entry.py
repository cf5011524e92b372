"""Counts of an event’s places and entries."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from league.events.event.models import Event


def check_in_ends_at(event: Event) -> datetime:
    """Return when check-in ends: the event's own time for it, or its beginning."""
    return event.check_in_until or event.starts_at


class PlaceCounts(NamedTuple):
    """How many entries have a place and how many wait, and how many places there are (None: no
    limit).
    """

    capacity: int | None
    taken: int
    waiting: int

    @property
    def free(self) -> int | None:
        """Return how many new entries could have a place now: none while others wait, None
        without a limit.
        """
        if self.capacity is None:
            return None
        if self.waiting:
            return 0
        return max(0, self.capacity - self.taken)

    @property
    def over(self) -> int:
        """Return how many entries have a place beyond the capacity."""
        if self.capacity is None:
            return 0
        return max(0, self.taken - self.capacity)


class EntryCounts(NamedTuple):
    """How many entries of an event have a place, how many of these are checked in, and how many
    wait.
    """

    entered: int
    there: int
    waiting: int
