"""What a rebuild of an event would change, cell by cell; nothing is written."""

from __future__ import annotations

from collections.abc import Iterator

from games.domain.difference import Difference
from games.models import Game
from league.counting.event_rebuild.domain import (
    CACHES,
    FINAL_RANK,
    PARTICIPANT,
    SEAT,
    TABLE,
    CachedRows,
    DerivedRows,
    Key,
)
from league.counting.event_rebuild.queries.event import derived_rows
from league.events.event.models import Event
from league.stages.round.models import StageRound


def event_differences(event_id: int) -> Iterator[Difference]:
    """Yield every cell of an event that a rebuild would change; call it in a transaction with one
    snapshot.

    A game that can't be counted at its table is reported; cells that depend on it aren't.
    """
    derived = derived_rows(Event.objects.get(pk=event_id))
    names = _Names(derived)
    for game, fault in derived.unreadable:
        row = f"{derived.facts.event.slug} {game.external_id}"
        yield Difference("table game", row, fault.code, str(fault.message), "a game that counts")
    for round_id, count in derived.missing_tables.items():
        name = names.round_name(round_id)
        yield Difference("round", name, "tables", f"{count} fewer", "as drawn")
    for cache in CACHES:
        yield from _cell_differences(cache, derived, names)


def _cell_differences(
    cache: CachedRows, derived: DerivedRows, names: _Names
) -> Iterator[Difference]:
    stored_rows = derived.stored[cache.name]
    expected_rows = derived.expected[cache.name]
    for key in sorted(stored_rows.keys() | expected_rows.keys()):
        stored = stored_rows.get(key)
        expected = expected_rows.get(key)
        if stored == expected:
            continue
        name = names.row(cache, key)
        if stored is None or expected is None:
            yield Difference(cache.name, name, "row", stored is not None, expected is not None)
            continue
        for column, value, expected_value in zip(cache.columns, stored, expected, strict=True):
            if value != expected_value:
                yield Difference(
                    cache.name,
                    name,
                    column.removesuffix("_id"),
                    names.shown(column, value),
                    names.shown(column, expected_value),
                )


class _Names:
    """The names of rows in a report: the event's slug and the numbers that people know, and the
    public ids of entries and games."""

    def __init__(self, derived: DerivedRows) -> None:
        facts = derived.facts
        self.event = facts.event.slug
        self.entries = {entry.pk: entry.public_id for entry in facts.entries}
        self.stages = {stage.pk: stage.number for stage in facts.stages}
        self.rounds = {row.pk: row for row in facts.rounds}
        self.tables = {row.pk: row for row in facts.tables}
        self.numbers = {key[0]: row[0] for key, row in derived.expected[TABLE.name].items()}
        self.groups = {group.pk: group.number for group in facts.groups}

    def round_name(self, round_id: int) -> str:
        """Return the name of a round; if taken back, with its id, because another may have its
        number."""
        row = self.rounds[round_id]
        round_id_text = f" ({row.public_id})" if row.status == StageRound.Status.TAKEN_BACK else ""
        return f"{self.event} stage {self.stages[row.stage_id]} round {row.number}{round_id_text}"

    def row(self, cache: CachedRows, key: Key) -> str:
        """Return the name of a row of one kind, in the words of a report."""
        if cache is FINAL_RANK:
            return f"{self.event} entry {self._entry(key[1])}"
        if cache is PARTICIPANT:
            return f"{self.event} stage {self.stages[key[0]]} entry {self._entry(key[1])}"
        table = self.tables[key[0]]
        number = self.numbers.get(table.pk, table.number)
        name = f"{self.round_name(table.stage_round_id)} table {number}"
        if cache is TABLE:
            return name
        if cache is SEAT:
            return f"{name} seat {key[1] + 1}"
        return f"{name} game {key[1]}"

    def shown(self, column: str, value: object) -> object:
        """Return a value with public ids and numbers for row ids."""
        if column == "entry_id" and isinstance(value, int):
            return self._entry(value)
        if column == "entries" and isinstance(value, list):
            return [self._entry(entry) for entry in value]
        if column == "group_id" and isinstance(value, int):
            return self.groups.get(value, "of another event")
        if column == "game_id" and isinstance(value, int):
            return Game.objects.values_list("public_id", flat=True).get(pk=value)
        return value

    def _entry(self, entry: int) -> str:
        return self.entries.get(entry, "of another event")
