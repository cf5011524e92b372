"""Pages of a list of events, which begin before or after a place in it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from league.events.event.models import Event


class EventPlace(NamedTuple):
    """A place in a list of events: an event's beginning, and its slug, which is unique in the
    club.
    """

    starts_at: datetime
    slug: str


class EventPage(NamedTuple):
    """A page of a list of events, the latest first. `older` and `newer`: where the neighbouring
    pages begin, as `event_place` writes it; empty if there are none.
    """

    events: list[Event]
    older: str
    newer: str


def event_place(event: Event) -> str:
    """Return the place of an event in a list, for use in addresses."""
    return f"{event.starts_at.astimezone(UTC).isoformat().replace('+00:00', 'Z')}~{event.slug}"


def event_place_read(text: str) -> EventPlace | None:
    """Return the place that `event_place` wrote, None for any other text."""
    at, sign, slug = text.partition("~")
    try:
        starts_at = datetime.fromisoformat(at)
    except ValueError:
        return None
    if not sign or starts_at.tzinfo is None or not slug.isprintable():
        return None
    return EventPlace(starts_at, slug)
