"""The one name of a table, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext

from league.stages.stage.models import Stage
from league.stages.table.models import Table

ROOM: Final = " · "
"""Between the number of a place in the hall and its room."""


def table_number(stage: Stage, round_number: int, number: int) -> int:
    """The number by which everybody calls a table: its own in the round, wherever it stands; of a
    ladder, where each table is a round, that of the round."""
    return round_number if stage.format_rules.ladder else number


def number_of(table: Table) -> int:
    """The number by which everybody calls a table that comes with its round and stage."""
    return table_number(table.stage_round.stage, table.stage_round.number, table.number)


def table_name(number: int) -> str:
    """The name of a table, wherever it is named: “Table 3”."""
    return gettext("Table %(number)s") % {"number": number}


def own_place(stage: Stage, round_number: int, number: int) -> str:
    """The place of a table for which no timetable keeps another: that of its own number."""
    return str(table_number(stage, round_number, number))


def table_where(number: int, place: str) -> str:
    """Where the table of a number stands, in words: its room, and the number of its place where
    that is another one; empty where the number says it all."""
    place_number, _, room = place.partition(ROOM)
    if place_number in ("", str(number)):
        return room
    words = gettext("place %(place)s") % {"place": place_number}
    return f"{room}, {words}" if room else words


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table that comes with its round and stage, by the one name that it has."""

    table: Table

    @property
    def number(self) -> int:
        """The number by which everybody calls it."""
        return number_of(self.table)

    @property
    def name(self) -> str:
        """What everybody calls it."""
        return table_name(self.number)

    @property
    def where(self) -> str:
        """Where it stands, in words; empty where its number says it all."""
        return table_where(self.number, self.table.place)
