"""A timetable as pages and paper show it: slot by slot, place by place, player by player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from engine.grouping import lists_by_key
from league.core.frame.name_key import name_key
from league.floor.hall.models import HallPlace, Slot
from league.floor.timetable.domain.timetable import (
    TableKey,
    Timed,
    TimetableFacts,
    tables_of_rounds,
)
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import DRAWN, Member, StageTable


class TimedTable(NamedTuple):
    """A table of a timetable. `table` and `members` are known once the table is drawn and may be
    shown; before that they are None and empty."""

    key: TableKey
    slot: Slot
    time: str
    place: HallPlace
    table: StageTable | None
    members: tuple[Member, ...]

    @property
    def number(self) -> int:
        """Return the table's public number."""
        return self.table.sign if self.table else self.key.number


class GridRow(NamedTuple):
    """A slot, its name, and the tables that are played then at each place; more than one table is a
    clash."""

    slot: Slot
    name: str
    cells: tuple[tuple[TimedTable, ...], ...]


@dataclass(frozen=True, slots=True)
class TimetableGrid:
    """A timetable as a grid of slots and places; those without a table are left out."""

    places: tuple[HallPlace, ...]
    rows: tuple[GridRow, ...]
    tables: tuple[TimedTable, ...]

    def by_place(self) -> list[tuple[HallPlace, list[TimedTable]]]:
        """Return the tables of each place, in the order of their times."""
        return [
            (place, [table for table in self.tables if table.place.pk == place.pk])
            for place in self.places
        ]

    def by_player(self) -> list[tuple[Member, list[TimedTable]]]:
        """Return the tables of each player in the order of their times, by the players' names."""
        tables = lists_by_key((member, table) for table in self.tables for member in table.members)
        return sorted(tables.items(), key=lambda row: (name_key(row[0].name), row[0].entry_id))


def timetable_grid(
    facts: TimetableFacts, assignment: Mapping[TableKey, Timed], *, organiser: bool = False
) -> TimetableGrid:
    """Return the tables of the stage that is running or ran last, with their players if the round
    is published or the reader is an `organiser`."""
    slot_names = facts.hall.slot_names
    visible_tables = tables_of_rounds(facts.stage, StageRound.Status.values if organiser else DRAWN)
    tables = []
    for key, timed in assignment.items():
        if facts.stage is not None and key.stage == facts.stage.stage.public_id:
            table = visible_tables.get(key)
            members = tuple(facts.stage.members[entry] for entry in table.entries) if table else ()
            tables.append(
                TimedTable(
                    key=key,
                    slot=timed.slot,
                    time=slot_names.get(timed.slot.public_id, ""),
                    place=timed.place,
                    table=table,
                    members=members,
                )
            )
    tables.sort(key=lambda table: (table.slot.starts_at, table.place.number, table.key))
    places_used = {table.place.pk for table in tables}
    places = tuple(place for place in facts.hall.places if place.pk in places_used)
    cells = lists_by_key(((table.slot.pk, table.place.pk), table) for table in tables)
    slots_used = {table.slot.pk for table in tables}
    rows = tuple(
        GridRow(
            slot,
            slot_names[slot.public_id],
            tuple(tuple(cells.get((slot.pk, place.pk), ())) for place in places),
        )
        for slot in facts.hall.slots
        if slot.pk in slots_used
    )
    return TimetableGrid(places, rows, tuple(tables))
