"""Lists of events for the API, page by page."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from league.events.event.domain import EventPage, EventPlace, event_place, event_place_read
from league.events.event.models import Event
from league.events.event.queries.event import with_counts


def event_page(
    events: QuerySet[Event], count: int, *, before: str = "", after: str = ""
) -> EventPage:
    """Return `count` events of a club with their counts: the latest, or those `before` or `after` a
    place in the list. One query, or two if there are too few after a place."""
    place = event_place_read(before or after)
    if after and not before:
        return _page_after(events, count, place)

    counted_events = with_counts(events)
    if place is not None:
        counted_events = counted_events.filter(_beyond(place, "lt"))
    fetched = list(counted_events.order_by("-starts_at", "-slug")[: count + 1])
    has_older = len(fetched) > count
    return _page(fetched[:count], has_older=has_older, has_newer=place is not None)


def _page_after(events: QuerySet[Event], count: int, place: EventPlace | None) -> EventPage:
    """Return the page of the events after a place, which are newer; the latest events if there are
    too few."""
    counted_events = with_counts(events)
    if place is not None:
        counted_events = counted_events.filter(_beyond(place, "gt"))
    fetched = list(counted_events.order_by("starts_at", "slug")[: count + 1])
    if len(fetched) <= count:
        return event_page(events, count)
    latest_first = fetched[:count][::-1]
    return _page(latest_first, has_older=True, has_newer=True)


def _page(events: list[Event], *, has_older: bool, has_newer: bool) -> EventPage:
    older = event_place(events[-1]) if events and has_older else ""
    newer = event_place(events[0]) if events and has_newer else ""
    return EventPage(events, older, newer)


def _beyond(place: EventPlace, lookup: str) -> Q:
    """Return the condition for newer events than the one at a place (`gt`), or older ones
    (`lt`)."""
    # The first part alone can use the index on the beginning.
    same_time_or_beyond = Q((f"starts_at__{lookup}e", place.starts_at))
    time_beyond = Q((f"starts_at__{lookup}", place.starts_at))
    slug_beyond = Q((f"slug__{lookup}", place.slug))
    return same_time_or_beyond & (time_beyond | slug_beyond)
