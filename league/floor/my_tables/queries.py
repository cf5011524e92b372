"""The next table of a player, the other tables of the day, and their coming entries."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.utils import timezone

from engine.grouping import lists_by_key
from league.core.account.models import User
from league.core.player.models import Player
from league.core.viewer.queries.access import Viewer
from league.events.entry.models import Entry
from league.events.entry.queries.entry import ACTIVE, own_entries
from league.events.event.models import Event
from league.events.event.queries.access import visible_events
from league.floor.my_tables.domain import MyDay, MyTable, Seated, next_of
from league.stages.stage.domain.facts import DRAWN
from league.stages.table.models import TableScore, TableSeat
from league.standings.ranked_game.queries.provisional import is_provisional

DAY: Final = timedelta(hours=24)
"""How long after its beginning a finished event still belongs to the day."""
MOST_ENTRIES: Final = 20
MOST_TABLES: Final = 100


def coming_entries(user: User) -> list[Entry]:
    """Return the entries of the account's players that have a place or wait for one at an event
    that isn't over, the next first, with player, event and club."""
    entries = (
        own_entries(user)
        .select_related("player", "event__club")
        .filter(
            Q(event__status=Event.Status.RUNNING) | Q(event__starts_at__gt=timezone.now() - DAY),
            status__in=ACTIVE,
            event__status__in=(Event.Status.OPEN, Event.Status.RUNNING),
        )
    )
    return list(entries.order_by("event__starts_at", "pk")[:MOST_ENTRIES])


def my_day(user: User) -> MyDay:
    """Return the tables of the account's players at events that are running or ended lately, by
    three queries."""
    is_recent = Q(status=Event.Status.RUNNING) | Q(
        status=Event.Status.FINISHED, starts_at__gt=timezone.now() - DAY
    )
    entries = own_entries(user).filter(event__in=Event.objects.filter(is_recent))
    return _day_of(_tables_of_seats(Q(entry__in=entries)))


def day_of_entry(entry: Entry) -> MyDay:
    """Return the tables of an entry, played or to come."""
    return _day_of(_tables_of_seats(Q(entry=entry)))


def _day_of(tables: list[MyTable]) -> MyDay:
    next_table = next_of(tables)
    return MyDay(next_table, tuple(table for table in tables if table is not next_table))


def next_table(user: User) -> MyTable | None:
    """Return the table that comes next for an account; None if there is none."""
    return my_day(user).next_table


def next_table_of(*entries: Entry) -> MyTable | None:
    """Return the table at which one of these entries plays next; None if there is none. No query is
    made without an entry."""
    if entries:
        return next_of(_tables_of_seats(Q(entry__in=entries, table__finished=False), ranks=False))
    return None


def next_table_of_player(player: Player) -> MyTable | None:
    """Return the table at which a player, or a player merged into them, plays next at an event that
    everybody may see; None if there is none."""
    person = Q(entry__player=player) | Q(entry__player__merged_into=player)
    events = visible_events(Viewer(AnonymousUser()))
    running = Q(entry__event__in=events.filter(status=Event.Status.RUNNING), table__finished=False)
    return next_of(_tables_of_seats(person & running, ranks=False))


def _tables_of_seats(mine: Q, *, ranks: bool = True) -> list[MyTable]:
    """Return the tables of the seats that match `mine`, the latest first, with all their players
    and, with `ranks`, the results of the entries in those seats."""
    matching_seats = TableSeat.objects.filter(mine, table__stage_round__status__in=DRAWN)
    matching_seats = matching_seats.select_related("table__stage_round__stage__event__club")
    own_seats = list(matching_seats.order_by("-table__stage_round__pk", "-table__pk")[:MOST_TABLES])
    if not own_seats:
        return []
    own_entries_by_table = {seat.table_id: seat.entry_id for seat in own_seats}
    table_seats = TableSeat.objects.filter(table__in=own_entries_by_table).order_by("table", "seat")
    people = table_seats.values_list(
        "table", "entry", "entry__player__handle", "entry__player__name"
    )
    seats = lists_by_key(
        (table, Seated(handle, name, entry == own_entries_by_table[table]))
        for table, entry, handle, name in people
    )
    results = _results(own_entries_by_table) if ranks else {}
    return [
        MyTable(
            table=seat.table,
            seats=tuple(seats[seat.table_id]),
            ranks=tuple(result.rank for result in results.get(seat.table_id, ())),
            provisional=any(result.provisional for result in results.get(seat.table_id, ())),
        )
        for seat in own_seats
    ]


class _Result(NamedTuple):
    rank: int | None
    provisional: bool


def _results(own_entries_by_table: Mapping[int, int]) -> dict[int, list[_Result]]:
    scores = TableScore.objects.filter(
        table__in=own_entries_by_table, ranks__isnull=False
    ).order_by("table", "number")
    return lists_by_key(
        (
            score.table_id,
            _Result(_rank_of(score, own_entries_by_table[score.table_id]), score.provisional),
        )
        for score in scores.annotate(provisional=is_provisional("game"))
    )


def _rank_of(score: TableScore, entry: int) -> int | None:
    ranks = score.order or score.ranks or ()
    return dict(zip(score.entries, ranks, strict=True)).get(entry)
