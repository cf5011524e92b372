"""Computing an event again from its facts: right rows stay untouched, wrong ones are replaced.

An event is rebuilt in one transaction, which waits for everybody who enters results, draws or
changes the participants, and keeps them out. So it misses no entry of the club's log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Model

from league.core.locks import Space, transaction_lock_shared
from league.core.log.queries import log_end
from league.core.log.services import Actor
from league.counting.event_rebuild.actions import RebuildAction
from league.counting.event_rebuild.domain import CACHES, TABLE, CachedRows, DerivedRows, Key
from league.counting.event_rebuild.queries.event import derived_rows
from league.events.event.models import Event
from league.events.event.services import course_journal, event_hold
from league.stages.stage.services.version import version_raise
from league.stages.table.models import Table

BATCH = 500
"""The number of rows of tables that one statement changes."""


class NotRebuilt(Exception):
    """The event can't be rebuilt, because games at its tables can't be counted; nothing was
    changed. `games`: each with the reason."""

    def __init__(self, games: Iterable[str]) -> None:
        self.games = tuple(games)
        super().__init__("; ".join(self.games))


class Rebuilt(NamedTuple):
    """The result of a rebuild: the position up to which it read the club's log, how many tables and
    games it computed, and how many rows were wrong."""

    position: int
    tables: int
    games: int
    wrong: int


def event_rebuild(*, event_id: int, actor: Actor) -> Rebuilt:
    """Derive all rows of an event from its facts again, and correct those that are wrong. Raise
    `Busy` if somebody draws or enters results for longer than a moment, and `NotRebuilt` if a game
    can't be counted."""
    unlocked = Event.objects.get(pk=event_id)
    with course_journal(unlocked, actor) as journal:
        event = event_hold(unlocked)
        transaction_lock_shared(Space.PLAYERS, event.club_id)  # no player is merged meanwhile
        position = log_end(event.club_id)
        wrong = 0
        derived = derived_rows(event)
        if derived.unreadable:
            raise NotRebuilt(
                f"{game.external_id}: {fault.message}" for game, fault in derived.unreadable
            )
        if derived.missing_tables or derived.unexpected_tables:
            wrong += _correct_tables(derived)
            derived = derived_rows(event)
        wrong += sum(_correct_rows(cache, derived) for cache in CACHES)
        if wrong:
            version_raise(event=event)
        payload = {"position": position, "wrong": wrong}
        journal.add(RebuildAction.EVENT_REBUILT, event.public_id, payload)
    return Rebuilt(position, len(derived.facts.tables), len(derived.facts.games), wrong)


def _correct_tables(derived: DerivedRows) -> int:
    created: list[Table] = []
    for round_id, count in derived.missing_tables.items():
        created += _missing_tables(derived, round_id, count)
    Table.objects.bulk_create(created)
    _, removed = Table.objects.filter(
        pk__in=derived.unexpected_tables, table_games=None, open_games=None
    ).delete()
    return len(created) + removed.get(Table._meta.label, 0)


def _missing_tables(derived: DerivedRows, round_id: int, count: int) -> list[Table]:
    facts = derived.facts
    stage_round = next(row for row in facts.rounds if row.pk == round_id)
    group = next(row for row in facts.groups if row.stage_id == stage_round.stage_id)
    used = {table.number for table in facts.tables if table.stage_round_id == round_id}
    free = [number for number in range(1, len(used) + count + 1) if number not in used]
    return [Table(stage_round=stage_round, group=group, number=number) for number in free[:count]]


def _correct_rows(cache: CachedRows, derived: DerivedRows) -> int:
    stored_rows = derived.stored[cache.name]
    expected_rows = derived.expected[cache.name]
    wrong = [key for key, row in stored_rows.items() if expected_rows.get(key) != row]
    missing = [key for key, row in expected_rows.items() if stored_rows.get(key) != row]
    rows = cache.model._default_manager
    if cache is TABLE:
        # Other rows refer to tables, so they are changed, not replaced.
        rows.bulk_update(
            _expected_instances(cache, derived, missing), cache.columns, batch_size=BATCH
        )
        return len(missing)
    rows.filter(pk__in=wrong).delete()
    rows.bulk_create(_expected_instances(cache, derived, missing))
    return len({*wrong, *missing})


def _expected_instances(
    cache: CachedRows, derived: DerivedRows, keys: Iterable[Key]
) -> list[Model]:
    expected_rows = derived.expected[cache.name]
    names = (*cache.key, *cache.columns)
    rows = []
    for key in keys:
        values = (*key, *expected_rows[key])
        rows.append(cache.model(**dict(zip(names, values, strict=True))))
    return rows
