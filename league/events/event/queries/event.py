"""Events as pages show them: lists of them, who takes part, and what the page of one depends on."""

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
from league.standings.ranking.queries.state import club_state

LASTS: Final = timedelta(hours=12)
"""How long an event is taken to last that doesn't say when it ends."""
NEVER: Final = datetime.max.replace(tzinfo=UTC)
FINISHED: Final = '"after":{"status":"finished"}'
"""What stands in the log's payload of an event's end."""


def events_named(club: str, season: str | None = None) -> list[tuple[str, int]]:
    """The names and row ids of the events of a club, or of one of its seasons, in order; both are
    given by slug."""
    events = Event.objects.filter(
        club__slug=club, **({} if season is None else {"season__slug": season})
    )
    return list(events.order_by("starts_at", "pk").values_list("name", "pk"))


def with_counts(events: QuerySet[Event]) -> QuerySet[Event]:
    """The events with clubs, seasons and series, each with how many have a place (`taken`) and wait
    (`waiting`)."""

    def count(status: str) -> Coalesce:
        entered = (
            Event.objects.filter(pk=OuterRef("pk"), entries__status=status).order_by().values("pk")
        )
        return Coalesce(Subquery(entered.annotate(count=Count("entries")).values("count")), 0)

    counts = {"taken": count("entered"), "waiting": count("waiting")}  # those of `Entry.Status`
    return events.select_related("club", "season", "series").annotate(**counts)


def counted_event(event: Event) -> Event:
    """An event as it is stored now, as `with_counts` reads it."""
    return with_counts(Event.objects.filter(pk=event.pk)).get()


def coming(events: QuerySet[Event]) -> QuerySet[Event]:
    """Those that run or aren't past yet, also if they are cancelled, the next first."""
    return _with_end(events).filter(_ahead()).order_by("starts_at", "pk")


def past(events: QuerySet[Event]) -> QuerySet[Event]:
    """All others, the latest first."""
    return _with_end(events).exclude(_ahead()).order_by("-starts_at", "-pk")


def _with_end(events: QuerySet[Event]) -> QuerySet[Event]:
    return events.alias(over_at=Coalesce(F("ends_at"), F("starts_at") + LASTS))


def _ahead() -> Q:
    """Of events `_with_end`: whether they are still to come, or run."""
    return ~Q(status=Event.Status.FINISHED) & (
        Q(status=Event.Status.RUNNING) | Q(over_at__gte=timezone.now())
    )


def has_ended(event: Event) -> bool:
    """True if an event is over, or was once and goes on: all that is changed then needs a
    reason."""
    ends = LogEntry.objects.filter(
        club=event.club_id, subject=event.public_id, action=EventAction.CHANGED
    )
    return event.over or ends.filter(payload__contains=FINISHED).exists()


def event_versions(event: Event) -> tuple[object, ...]:
    """Read what everything that an event's pages show has come to, one query: the club's log, in
    which every change of an event, an entry or a name stands, the stages' versions, the rankings'
    versions, and what changes with the time."""

    def together(rows: QuerySet[Any]) -> Subquery:
        """The sum of their versions, which all have the same `whole`."""
        return Subquery(
            rows.order_by().values("whole").annotate(total=Sum("version")).values("total")
        )

    versions = Event.objects.filter(pk=event.pk).values_list(
        Subquery(LogHead.objects.filter(club=event.club_id).values("position")),
        together(event.stages.annotate(whole=F("event"))),
        together(Ranking.objects.filter(club=event.club_id).annotate(whole=F("club"))),
    )
    return (event.public_id, event.changes, event.changed_at, *versions.get(), event.entries_open)


class EventSubject(NamedTuple):
    """An event that a page shows, with its club, by their row ids; `until`: when entering by
    oneself ends, if it is open."""

    event: int
    club: int
    until: datetime

    @classmethod
    def of(cls, event: Event) -> EventSubject:
        """What is shown of a loaded event."""
        until = event.entries_until if event.entries_open else None
        return cls(event.pk, event.club_id, until or NEVER)


def event_state(subject: EventSubject) -> tuple[object, ...]:
    """Read what everything that an event's page shows has come to, as `event_versions`, by one
    small query."""
    return (*club_state(subject.club, subject.event), timezone.now() >= subject.until)


def is_ahead(event: Event) -> bool:
    """True if a loaded event runs or isn't past yet, as `coming` has it."""
    if event.status == Event.Status.RUNNING:
        return True
    return event.status != Event.Status.FINISHED and _end(event) >= timezone.now()


def _end(event: Event) -> datetime:
    return event.ends_at or event.starts_at + LASTS


def next_end(events: Sequence[Event]) -> datetime:
    """Tell when the next of these events is over; without one, at the end of all times."""
    ends = [end for event in events if (end := _end(event)) > timezone.now()]
    return min(ends, default=NEVER)
