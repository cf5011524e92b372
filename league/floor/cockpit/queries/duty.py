"""Where a member of a club is needed now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import timedelta
from typing import Final

from django.db.models import Q
from django.utils import timezone

from engine.grouping import lists_by_key
from league.events.entry.models import Entry
from league.events.event.models import Event
from league.floor.clock.domain import round_clock
from league.floor.cockpit.domain.duty import Duty, WaitingTable
from league.stages.stage.domain.facts import DRAWN
from league.stages.stage.format import FORMATS
from league.stages.stage.models import Stage
from league.stages.table.models import Table, TableSeat

SOON: Final = timedelta(hours=12)
"""So long before it begins, and after it should have begun, an event that doesn't run yet asks for
its helpers."""
MOST_EVENTS: Final = 5
MOST_TABLES: Final = 200
FREE: Final = [name for name, rules in FORMATS.items() if rules.free]
LISTED: Final = 12
"""So many of those who are missing are named."""


def duties(clubs: Collection[int], organised: Collection[int]) -> list[Duty]:
    """Read which events of these clubs, by their row ids, need somebody now, those that run first,
    and for each of them its tables without a result and who is missing. Five queries, however many
    there are."""
    if not clubs:
        return []
    events = _events(clubs)
    if not events:
        return []
    waiting = _waiting(events)
    missing = missing_names(events)
    free_stages = _free_stages(events)
    duties = []
    for event in events:
        tables = tuple(waiting[event.pk])
        names = missing[event.pk]
        clock = round_clock(tables[-1].table.stage_round) if tables else None
        more = max(0, len(names) - LISTED)
        manages = event.club_id in organised
        free_stage = free_stages.get(event.pk)
        duties.append(Duty(event, manages, tables, tuple(names[:LISTED]), more, clock, free_stage))
    return duties


def _events(clubs: Collection[int]) -> list[Event]:
    now = timezone.now()
    soon = Q(status=Event.Status.OPEN, starts_at__gt=now - SOON, starts_at__lt=now + SOON)
    events = Event.objects.select_related("club").filter(
        Q(status=Event.Status.RUNNING) | soon, club__in=clubs
    )
    return list(events.order_by("-status", "-starts_at", "pk")[:MOST_EVENTS])


def _waiting(events: Collection[Event]) -> defaultdict[int, list[WaitingTable]]:
    """Return the tables of published rounds that aren't finished, by event, in the order of rounds
    and numbers; of rounds that were drawn at once those of the first."""
    tables = Table.objects.select_related("stage_round__stage").filter(
        finished=False, stage_round__status__in=DRAWN, stage_round__stage__event__in=events
    )
    rows = list(
        tables.order_by("stage_round__stage__number", "stage_round__number", "number")[:MOST_TABLES]
    )
    seats = TableSeat.objects.filter(table__in=rows).order_by("table", "seat")
    names = lists_by_key(seats.values_list("table", "entry__player__name"))
    waiting: defaultdict[int, list[WaitingTable]] = defaultdict(list)
    first: dict[int, int] = {}
    for row in rows:
        stage_round = row.stage_round
        if (
            stage_round.number == first.setdefault(stage_round.stage_id, stage_round.number)
            or not stage_round.ahead
        ):
            waiting[stage_round.stage.event_id].append(WaitingTable(row, tuple(names[row.pk])))
    return waiting


def _free_stages(events: Collection[Event]) -> dict[int, int]:
    """Return the numbers of the stages at whose free tables people sit down now, by event."""
    stages = Stage.objects.filter(event__in=events, status=Stage.Status.RUNNING, format__in=FREE)
    return dict(stages.values_list("event", "number"))


def missing_names(events: Collection[Event]) -> defaultdict[int, list[str]]:
    """Return the names of those who have a place and aren't checked in, by event, in the order of
    names. One query."""
    entries = Entry.objects.filter(
        event__in=events, status=Entry.Status.ENTERED, checked_in_at=None
    )
    return lists_by_key(
        entries.order_by("player__name_key", "pk").values_list("event", "player__name")
    )
