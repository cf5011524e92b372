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
    """A table of a timetable: `table` and `members` where it is drawn and may be shown, else None
    and nobody."""

    key: TableKey
    slot: Slot
    time: str
    place: HallPlace
    table: StageTable | None
    members: tuple[Member, ...]

    @property
    def number(self) -> int:
        """The number by which everybody calls it."""
        return self.table.sign if self.table else self.key.number


class GridRow(NamedTuple):
    """A slot, what it is called, and what is played then at each place; more than one table is a
    clash."""

    slot: Slot
    name: str
    cells: tuple[tuple[TimedTable, ...], ...]


@dataclass(frozen=True, slots=True)
class TimetableGrid:
    """A timetable, place by slot; places and slots without a table are left out."""

    places: tuple[HallPlace, ...]
    rows: tuple[GridRow, ...]
    tables: tuple[TimedTable, ...]

    def by_place(self) -> list[tuple[HallPlace, list[TimedTable]]]:
        """Return what is played at each place, one after the other."""
        return [
            (place, [table for table in self.tables if table.place.pk == place.pk])
            for place in self.places
        ]

    def by_player(self) -> list[tuple[Member, list[TimedTable]]]:
        """Tell where each player plays, one after the other, players by name."""
        tables = lists_by_key((member, table) for table in self.tables for member in table.members)
        return sorted(tables.items(), key=lambda row: (name_key(row[0].name), row[0].entry_id))


def timetable_grid(
    facts: TimetableFacts, assignment: Mapping[TableKey, Timed], *, organiser: bool = False
) -> TimetableGrid:
    """Return the tables of the stage that runs or ran last, with people where their round is
    published, or for organisers."""
    names = facts.hall.slot_names
    grid_tables = tables_of_rounds(facts.stage, StageRound.Status.values if organiser else DRAWN)
    tables = []
    for key, timed in assignment.items():
        if facts.stage is not None and key.stage == facts.stage.stage.public_id:
            table = grid_tables.get(key)
            members = tuple(facts.stage.members[entry] for entry in table.entries) if table else ()
            tables.append(
                TimedTable(
                    key,
                    timed.slot,
                    names.get(timed.slot.public_id, ""),
                    timed.place,
                    table,
                    members,
                )
            )
    tables.sort(key=lambda table: (table.slot.starts_at, table.place.number, table.key))
    places = tuple(
        place for place in facts.hall.places if place.pk in {table.place.pk for table in tables}
    )
    cells = lists_by_key(((table.slot.pk, table.place.pk), table) for table in tables)
    slots_used = {table.slot.pk for table in tables}
    rows = tuple(
        GridRow(
            slot,
            names[slot.public_id],
            tuple(tuple(cells.get((slot.pk, place.pk), ())) for place in places),
        )
        for slot in facts.hall.slots
        if slot.pk in slots_used
    )
    return TimetableGrid(places, rows, tuple(tables))
