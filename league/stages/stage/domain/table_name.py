"""The name of a table, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext

from league.stages.stage.models import Stage
from league.stages.table.models import Table

ROOM: Final = " · "
"""The separator between the number of a place in the hall and its room."""


def table_number(stage: Stage, round_number: int, number: int) -> int:
    """Return the public number of a table: its number in the round or, on a ladder, where each
    table is a round, that of the round."""
    if stage.format_rules.ladder:
        return round_number
    return number


def number_of(table: Table) -> int:
    """Return the public number of a table that is loaded with its round and stage."""
    return table_number(table.stage_round.stage, table.stage_round.number, table.number)


def table_name(number: int) -> str:
    """Return the name of a table: “Table 3”."""
    return gettext("Table %(number)s") % {"number": number}


def own_place(stage: Stage, round_number: int, number: int) -> str:
    """Return the default place of a table, the one of its own number, if no timetable has
    another."""
    return str(table_number(stage, round_number, number))


def table_where(number: int, place: str) -> str:
    """Return where a table stands, in words: its room, and the number of its place if it isn't the
    table's; empty if the number says enough."""
    place_number, _, room = place.partition(ROOM)
    if place_number in ("", str(number)):
        return room
    words = gettext("spot %(place)s") % {"place": place_number}
    return f"{room}, {words}" if room else words


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table, loaded with round and stage, with its name."""

    table: Table

    @property
    def number(self) -> int:
        """Return the table's public number."""
        return number_of(self.table)

    @property
    def name(self) -> str:
        """Return the table's name."""
        return table_name(self.number)

    @property
    def where(self) -> str:
        """Return where the table stands, in words; empty if its number says enough."""
        return table_where(self.number, self.table.place)
