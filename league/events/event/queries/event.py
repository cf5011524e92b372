"""Queries of events: lists, numbers of entries, and the versions of an event's pages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.core.log.models import LogEntry, LogHead
from league.events.event.actions import EventAction
from league.events.event.models import Event
from league.standings.ranking.models import Ranking
from league.standings.ranking.queries.state import event_page_state

ASSUMED_LENGTH: Final = timedelta(hours=12)
"""How long an event without an end is assumed to last."""
NEVER: Final = datetime.max.replace(tzinfo=UTC)
FINISHED: Final = '"after":{"status":"finished"}'
"""The part of the log's payload that marks the end of an event."""


def events_named(club: str, season: str | None = None) -> list[tuple[str, int]]:
    """Return the names and row ids of the events of a club, or of one of its seasons, in order;
    club and season are given by slug.
    """
    events = Event.objects.filter(club__slug=club)
    if season is not None:
        events = events.filter(season__slug=season)
    return list(events.order_by("starts_at", "pk").values_list("name", "pk"))


def with_counts(events: QuerySet[Event]) -> QuerySet[Event]:
    """Return the events with clubs, seasons and series, each with its numbers of entries that have
    a place (`taken`) and wait (`waiting`).
    """

    def count(status: str) -> Coalesce:
        same_event = Event.objects.filter(pk=OuterRef("pk"), entries__status=status)
        counts = same_event.order_by().values("pk").annotate(count=Count("entries"))
        return Coalesce(Subquery(counts.values("count")), 0)

    # These are values of `Entry.Status`, which can't be imported here.
    counts = {"taken": count("entered"), "waiting": count("waiting")}
    return events.select_related("club", "season", "series").annotate(**counts)


def counted_event(event: Event) -> Event:
    """Return an event as it is stored now, with the counts of `with_counts`."""
    return with_counts(Event.objects.filter(pk=event.pk)).get()


def coming(events: QuerySet[Event]) -> QuerySet[Event]:
    """Return the events that are running or aren't past yet, including cancelled ones, the next
    first.
    """
    return _with_end(events).filter(_is_coming()).order_by("starts_at", "pk")


def past(events: QuerySet[Event]) -> QuerySet[Event]:
    """Return the events that aren't `coming`, the latest first."""
    return _with_end(events).exclude(_is_coming()).order_by("-starts_at", "-pk")


def _with_end(events: QuerySet[Event]) -> QuerySet[Event]:
    return events.alias(over_at=Coalesce(F("ends_at"), F("starts_at") + ASSUMED_LENGTH))


def _is_coming() -> Q:
    is_running = Q(status=Event.Status.RUNNING)
    return ~Q(status=Event.Status.FINISHED) & (is_running | Q(over_at__gte=timezone.now()))


def has_ended(event: Event) -> bool:
    """Return True if an event is over or was finished before, even if it goes on. Changes then need
    a reason.
    """
    ends = LogEntry.objects.filter(
        club=event.club_id, subject=event.public_id, action=EventAction.CHANGED
    )
    return event.over or ends.filter(payload__contains=FINISHED).exists()


def event_versions(event: Event) -> tuple[object, ...]:
    """Return the versions on which an event's pages depend. One query.

    They include the club's log, which has every change of an event, an entry or a name, the
    versions of stages and rankings, and what changes with time.
    """

    def total(rows: QuerySet[Any]) -> Subquery:
        """Return the sum of the versions of rows that have the same `whole`."""
        sums = rows.order_by().values("whole").annotate(total=Sum("version"))
        return Subquery(sums.values("total"))

    log = LogHead.objects.filter(club=event.club_id)
    stages = event.stages.annotate(whole=F("event"))
    rankings = Ranking.objects.filter(club=event.club_id).annotate(whole=F("club"))
    versions = Event.objects.filter(pk=event.pk).values_list(
        Subquery(log.values("position")), total(stages), total(rankings)
    )
    return (event.public_id, event.changes, event.changed_at, *versions.get(), event.entries_open)


class EventSubject(NamedTuple):
    """An event that a page shows, with its club, by row ids. `until`: when self-entry closes, if it
    is open.
    """

    event: int
    club: int
    until: datetime

    @classmethod
    def of(cls, event: Event) -> EventSubject:
        """Return the subject for a loaded event."""
        until = event.entries_until if event.entries_open else None
        return cls(event.pk, event.club_id, until or NEVER)


def event_state(subject: EventSubject) -> tuple[object, ...]:
    """Return the version of everything that an event's page shows, like `event_versions`, with one
    small query.
    """
    return (*event_page_state(subject.club, subject.event), timezone.now() >= subject.until)


def is_ahead(event: Event) -> bool:
    """Return True if a loaded event is running or isn't past yet, as in `coming`."""
    if event.status == Event.Status.RUNNING:
        return True
    return event.status != Event.Status.FINISHED and _end(event) >= timezone.now()


def _end(event: Event) -> datetime:
    return event.ends_at or event.starts_at + ASSUMED_LENGTH


def next_end(events: Sequence[Event]) -> datetime:
    """Return when the next of these events ends, `NEVER` if none is ahead."""
    now = timezone.now()
    ends = [_end(event) for event in events]
    return min((end for end in ends if end > now), default=NEVER)
