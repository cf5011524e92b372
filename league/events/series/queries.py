"""Queries of series."""

from __future__ import annotations

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, QuerySet

from league.events.event.models import Event
from league.events.series.models import Series
from league.standings.season.models import Season


def series_rows(season: Season) -> QuerySet[Series]:
    """Return the series that have events in a season, each with the slugs of these events
    (`slugs`), in a stable order.
    """
    events = Event.objects.filter(season=season, series=OuterRef("pk")).order_by("starts_at", "pk")
    rows = Series.objects.filter(pk__in=Event.objects.filter(season=season).values("series"))
    return rows.annotate(slugs=ArraySubquery(events.values("slug"))).order_by("starts_at", "pk")


def later_events(event: Event) -> list[Event]:
    """Return the later events of the same series that can still be changed, in order."""
    if event.series_id is None:
        return []
    later = Event.objects.select_related("club").filter(
        series=event.series_id,
        starts_at__gt=event.starts_at,
        status__in=(Event.Status.DRAFT, Event.Status.OPEN),
    )
    return list(later.order_by("starts_at", "pk"))
