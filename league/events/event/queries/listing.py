"""Lists of events for programs, page by page."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from league.events.event.domain import EventPage, EventPlace, event_place, event_place_read
from league.events.event.models import Event
from league.events.event.queries.event import with_counts


def event_page(
    events: QuerySet[Event], count: int, *, before: str = "", after: str = ""
) -> EventPage:
    """`count` events of a club with their counts: the latest, or those next to a place. One query;
    a second one where there are too few after a place."""
    place = event_place_read(before or after)
    backwards = bool(after) and not before
    rows = with_counts(events)
    if place is not None:
        rows = rows.filter(_beyond(place, "gt" if backwards else "lt"))
    order = ("starts_at", "slug") if backwards else ("-starts_at", "-slug")
    rows_beyond = list(rows.order_by(*order)[: count + 1])
    more, page = len(rows_beyond) > count, rows_beyond[:count]
    if backwards and not more:
        return event_page(events, count)
    if backwards:
        page.reverse()
    older, newer = (True, more) if backwards else (more, place is not None)
    places = [event_place(event) for event in page] or [""]
    return EventPage(page, places[-1] if older else "", places[0] if newer else "")


def _beyond(place: EventPlace, way: str) -> Q:
    """The events on one side of a place: newer ones (`gt`), or older ones (`lt`)."""
    is_after = Q((f"starts_at__{way}", place.starts_at)) | Q((f"slug__{way}", place.slug))
    return Q((f"starts_at__{way}e", place.starts_at)) & is_after
