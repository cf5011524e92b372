"""Counts of an event’s places and entries."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from league.events.event.models import Event


def check_in_ends_at(event: Event) -> datetime:
    """Until when one may come: what the event says, else its beginning."""
    return event.check_in_until or event.starts_at


class PlaceCounts(NamedTuple):
    """How many have a place and how many wait, and how many places there are (None: for
    everybody)."""

    capacity: int | None
    taken: int
    waiting: int

    @property
    def free(self) -> int | None:
        """Tell how many places somebody who enters now could have; none while others wait. None: no
        end of them."""
        if self.capacity is None:
            return None
        return 0 if self.waiting else max(0, self.capacity - self.taken)

    @property
    def over(self) -> int:
        """Tell how many have a place for whom there is none."""
        return 0 if self.capacity is None else max(0, self.taken - self.capacity)


class EntryCounts(NamedTuple):
    """How many entries an event has: with a place, of these checked in, and on the waiting list."""

    entered: int
    there: int
    waiting: int
