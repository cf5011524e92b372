"""The entries that could play a stage, and the stage before it."""

from __future__ import annotations

from league.events.entry.models import Entry
from league.events.event.models import Event
from league.events.series.queries import later_events
from league.stages.stage.models import Stage


def present_entries(event: Event) -> list[Entry]:
    """Return the entries that a draw would seat: entered and checked in, in the order of their
    numbers."""
    entries = Entry.objects.select_related("player").filter(
        event=event, status=Entry.Status.ENTERED, checked_in_at__isnull=False
    )
    return list(entries.order_by("number"))


def stage_before(stage: Stage) -> Stage | None:
    """Return the stage from which players come into this one; None for the first."""
    return Stage.objects.filter(event=stage.event_id, number=stage.number - 1).first()


def are_entrants_settled(stage: Stage) -> bool:
    """Return True if the stage before is finished, or there is none, so that the entrants are
    known."""
    before = stage_before(stage)
    return before is None or before.status == Stage.Status.FINISHED


def unplanned_dates(event: Event) -> list[Event]:
    """Return the later dates of an event's series that have no stage yet, in their order."""
    dates = {date.pk: date for date in later_events(event)}
    for planned in Stage.objects.filter(event__in=dates).values_list("event", flat=True):
        dates.pop(planned, None)
    return list(dates.values())
