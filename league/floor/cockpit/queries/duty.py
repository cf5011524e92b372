"""Events at which members of a club are needed now."""

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
"""How long before its beginning, and after it, an event that isn't running yet needs its helpers."""
MOST_EVENTS: Final = 5
MOST_TABLES: Final = 200
FREE: Final = [name for name, rules in FORMATS.items() if rules.free]
LISTED: Final = 12
"""The most names that are listed of missing players."""


def duties(clubs: Collection[int], organised: Collection[int]) -> list[Duty]:
    """Return the events of these clubs (row ids) that need helpers now, running ones first, each
    with its tables without a result and its missing players. `organised`: the clubs that the member
    organises. Five queries, whatever the number of events."""
    if not clubs:
        return []
    events = _current_events(clubs)
    if not events:
        return []
    waiting_tables = _tables_without_result(events)
    missing_players = missing_names(events)
    free_stages = _free_stage_numbers(events)
    duties = []
    for event in events:
        tables = tuple(waiting_tables[event.pk])
        names = missing_players[event.pk]
        duty = Duty(
            event=event,
            manages=event.club_id in organised,
            waiting=tables,
            missing=tuple(names[:LISTED]),
            more=max(0, len(names) - LISTED),
            clock=round_clock(tables[-1].table.stage_round) if tables else None,
            free_stage=free_stages.get(event.pk),
        )
        duties.append(duty)
    return duties


def _current_events(clubs: Collection[int]) -> list[Event]:
    now = timezone.now()
    soon = Q(status=Event.Status.OPEN, starts_at__gt=now - SOON, starts_at__lt=now + SOON)
    events = Event.objects.select_related("club").filter(
        Q(status=Event.Status.RUNNING) | soon, club__in=clubs
    )
    return list(events.order_by("-status", "-starts_at", "pk")[:MOST_EVENTS])


def _tables_without_result(events: Collection[Event]) -> defaultdict[int, list[WaitingTable]]:
    """Return the unfinished tables of published rounds, by event, in the order of rounds and
    numbers. Of rounds that were drawn ahead, only the first one's tables are returned."""
    tables = Table.objects.select_related("stage_round__stage").filter(
        finished=False, stage_round__status__in=DRAWN, stage_round__stage__event__in=events
    )
    rows = list(
        tables.order_by("stage_round__stage__number", "stage_round__number", "number")[:MOST_TABLES]
    )
    seats = TableSeat.objects.filter(table__in=rows).order_by("table", "seat")
    names = lists_by_key(seats.values_list("table", "entry__player__name"))
    waiting: defaultdict[int, list[WaitingTable]] = defaultdict(list)
    first_numbers: dict[int, int] = {}
    for row in rows:
        stage_round = row.stage_round
        first_number = first_numbers.setdefault(stage_round.stage_id, stage_round.number)
        if stage_round.number == first_number or not stage_round.ahead:
            waiting[stage_round.stage.event_id].append(WaitingTable(row, tuple(names[row.pk])))
    return waiting


def _free_stage_numbers(events: Collection[Event]) -> dict[int, int]:
    stages = Stage.objects.filter(event__in=events, status=Stage.Status.RUNNING, format__in=FREE)
    return dict(stages.values_list("event", "number"))


def missing_names(events: Collection[Event]) -> defaultdict[int, list[str]]:
    """Return the names of players who have a place and aren't checked in, by event, in the order of
    names. One query."""
    entries = Entry.objects.filter(
        event__in=events, status=Entry.Status.ENTERED, checked_in_at=None
    )
    return lists_by_key(
        entries.order_by("player__name_key", "pk").values_list("event", "player__name")
    )
