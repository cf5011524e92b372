"""A list of events in pages that begin before or after a place in it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from league.events.event.models import Event


class EventPlace(NamedTuple):
    """Where an event stands in a list: when it begins, and its address, which is unique in the
    club."""

    starts_at: datetime
    slug: str


class EventPage(NamedTuple):
    """A page of a list of events, the latest first. `older` and `newer`: where the pages beside it
    begin, as `event_place` writes it; empty where there are none."""

    events: list[Event]
    older: str
    newer: str


def event_place(event: Event) -> str:
    """Tell where an event stands in a list, as addresses say it."""
    return f"{event.starts_at.astimezone(UTC).isoformat().replace('+00:00', 'Z')}~{event.slug}"


def event_place_read(text: str) -> EventPlace | None:
    """The place that `event_place` told; None for any other text."""
    at, sign, slug = text.partition("~")
    try:
        starts_at = datetime.fromisoformat(at)
    except ValueError:
        return None
    return EventPlace(starts_at, slug) if sign and starts_at.tzinfo and slug.isprintable() else None
