"""The entries that could be in a stage, and the stage before it."""

from __future__ import annotations

from league.events.entry.models import Entry
from league.events.event.models import Event
from league.events.series.queries import later_events
from league.stages.stage.models import Stage


def there(event: Event) -> list[Entry]:
    """The entries that a draw would seat: entered and checked in, in the order of their numbers."""
    entries = Entry.objects.select_related("player").filter(
        event=event, status=Entry.Status.ENTERED, checked_in_at__isnull=False
    )
    return list(entries.order_by("number"))


def stage_before(stage: Stage) -> Stage | None:
    """The stage from which people come into this one."""
    return Stage.objects.filter(event=stage.event_id, number=stage.number - 1).first()


def are_entrants_settled(stage: Stage) -> bool:
    """True if the stage from which people come into a planned one is over, or there is none."""
    before = stage_before(stage)
    return before is None or before.status == Stage.Status.FINISHED


def unplanned_dates(event: Event) -> list[Event]:
    """The later dates of an event's series for which no stage is planned, in their order."""
    dates = {date.pk: date for date in later_events(event)}
    for planned in Stage.objects.filter(event__in=dates).values_list("event", flat=True):
        dates.pop(planned, None)
    return list(dates.values())
