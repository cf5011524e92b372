"""All that a rebuild of an event would change, cell by cell; nothing is written."""

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
    Derived,
    Key,
)
from league.counting.event_rebuild.queries.event import derived
from league.events.event.models import Event
from league.stages.round.models import StageRound


def event_differences(event_id: int) -> Iterator[Difference]:
    """Every cell of an event that a rebuild would change; call it in a transaction of one snapshot.

    What follows from a game that tells nothing at its table isn't judged; the game is named.
    """
    derivation = derived(Event.objects.get(pk=event_id))
    names = _Names(derivation)
    for game, fault in derivation.unread:
        row = f"{derivation.facts.event.slug} {game.external_id}"
        yield Difference("table game", row, fault.code, str(fault.message), "a game that counts")
    for round_id, count in derivation.lacking.items():
        yield Difference(
            "round", names.round_name(round_id), "tables", f"{count} fewer", "as drawn"
        )
    for cache in CACHES:
        yield from _cells(cache, derivation, names)


def _cells(cache: CachedRows, derivation: Derived, names: _Names) -> Iterator[Difference]:
    stored_rows, expected_rows = derivation.stored[cache.name], derivation.wanted[cache.name]
    for key in sorted(stored_rows.keys() | expected_rows.keys()):
        if stored_rows.get(key) == expected_rows.get(key):
            continue
        if key not in stored_rows or key not in expected_rows:
            yield Difference(
                cache.name, names.row(cache, key), "row", key in stored_rows, key in expected_rows
            )
            continue
        for column, was, expected in zip(
            cache.columns, stored_rows[key], expected_rows[key], strict=True
        ):
            if was != expected:
                words = names.shown(column, was), names.shown(column, expected)
                yield Difference(
                    cache.name, names.row(cache, key), column.removesuffix("_id"), *words
                )


class _Names:
    """The way in which rows are called: by the event's address and by numbers that people know,
    entries and games by public ids."""

    def __init__(self, derivation: Derived) -> None:
        facts = derivation.facts
        self.event = facts.event.slug
        self.entries = {entry.pk: entry.public_id for entry in facts.entries}
        self.stages = {stage.pk: stage.number for stage in facts.stages}
        self.rounds = {row.pk: row for row in facts.rounds}
        self.tables = {row.pk: row for row in facts.tables}
        self.numbers = {key[0]: row[0] for key, row in derivation.wanted[TABLE.name].items()}
        self.groups = {group.pk: group.number for group in facts.groups}

    def round_name(self, round_id: int) -> str:
        """A round; one that was taken back with its id, for there may be more with its number."""
        row = self.rounds[round_id]
        beside = f" ({row.public_id})" if row.status == StageRound.Status.TAKEN_BACK else ""
        return f"{self.event} stage {self.stages[row.stage_id]} round {row.number}{beside}"

    def row(self, cache: CachedRows, key: Key) -> str:
        """A row of a cache."""
        if cache is FINAL_RANK:
            return f"{self.event} entry {self._entry(key[1])}"
        if cache is PARTICIPANT:
            return f"{self.event} stage {self.stages[key[0]]} entry {self._entry(key[1])}"
        table = self.tables[key[0]]
        table_name = (
            f"{self.round_name(table.stage_round_id)} table "
            f"{self.numbers.get(table.pk, table.number)}"
        )
        if cache is TABLE:
            return table_name
        return f"{table_name} seat {key[1] + 1}" if cache is SEAT else f"{table_name} game {key[1]}"

    def shown(self, column: str, value: object) -> object:
        """A value without row ids."""
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
