"""Lists of events for programs, page by page."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from django.db.models import Q, QuerySet

from league.events.models import Event
from league.events.queries.event import with_counts


class EventPlace(NamedTuple):
    """Where an event stands in a list: when it begins, and its address, which is unique in the club."""

    starts_at: datetime
    slug: str


class EventPage(NamedTuple):
    """A page of a list of events, the latest first. `older` and `newer`: where the pages beside it begin, as
    `event_place` writes it; empty where there are none."""

    events: list[Event]
    older: str
    newer: str


def event_page(events: QuerySet[Event], count: int, *, before: str = "", after: str = "") -> EventPage:
    """`count` events of a club with their counts: the latest, or those next to a place. One query; a second one where
    there are too few after a place."""
    place = event_place_read(before or after)
    backwards = bool(after) and not before
    rows = with_counts(events)
    if place is not None:
        rows = rows.filter(_newer(place) if backwards else _older(place))
    order = ("starts_at", "slug") if backwards else ("-starts_at", "-slug")
    found = list(rows.order_by(*order)[: count + 1])
    more, page = len(found) > count, found[:count]
    if backwards and not more:
        return event_page(events, count)
    if backwards:
        page.reverse()
    older, newer = (True, more) if backwards else (more, place is not None)
    places = [event_place(event) for event in page] or [""]
    return EventPage(page, places[-1] if older else "", places[0] if newer else "")


def _newer(place: EventPlace) -> Q:
    return Q(starts_at__gte=place.starts_at) & (Q(starts_at__gt=place.starts_at) | Q(slug__gt=place.slug))


def _older(place: EventPlace) -> Q:
    return Q(starts_at__lte=place.starts_at) & (Q(starts_at__lt=place.starts_at) | Q(slug__lt=place.slug))


def event_place(event: Event) -> str:
    """Where an event stands in a list, as addresses say it."""
    return f"{event.starts_at.astimezone(UTC).isoformat().replace('+00:00', 'Z')}~{event.slug}"


def event_place_read(text: str) -> EventPlace | None:
    """The place that `event_place` told; None for any other text."""
    at, sign, slug = text.partition("~")
    try:
        starts_at = datetime.fromisoformat(at)
    except ValueError:
        return None
    return EventPlace(starts_at, slug) if sign and starts_at.tzinfo and slug.isprintable() else None
