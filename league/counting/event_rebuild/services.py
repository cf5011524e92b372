"""Computing an event anew from its facts: what was right stays untouched, what wasn't is mended.

An event is rebuilt in one transaction, in which nobody enters results, draws, or changes who takes
part; it waits for whoever does. So it misses nothing that is in the club's log when it begins, and
what comes later finds it done."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Model

from league.core.locks import Space, transaction_lock_shared
from league.core.log.queries import log_end
from league.core.log.services import Actor
from league.counting.event_rebuild.actions import RebuildAction
from league.counting.event_rebuild.domain import CACHES, TABLE, CachedRows, Derived, Key
from league.counting.event_rebuild.queries.event import derived
from league.events.event.models import Event
from league.events.event.services import course_journal, event_hold
from league.stages.stage.services.version import version_raise
from league.stages.table.models import Table

AT_ONCE = 500
"""Rows of tables that are changed by one statement."""


class NotRebuilt(Exception):
    """Games of the event tell nothing at their tables: nothing was changed. `games`: each with the
    reason."""

    def __init__(self, games: Iterable[str]) -> None:
        self.games = tuple(games)
        super().__init__("; ".join(self.games))


class Rebuilt(NamedTuple):
    """All that a rebuild came to: up to which position it read the club's log, how many tables and
    games it computed, and how many rows were wrong."""

    position: int
    tables: int
    games: int
    wrong: int


def event_rebuild(*, event_id: int, actor: Actor) -> Rebuilt:
    """Compute all derived rows of an event anew. Raises `Busy` while somebody draws or enters
    results for longer than a moment, and `NotRebuilt`."""
    unlocked = Event.objects.get(pk=event_id)
    with course_journal(unlocked, actor) as journal:
        event = event_hold(unlocked)
        transaction_lock_shared(Space.PLAYERS, event.club_id)  # nobody is merged meanwhile
        position = log_end(event.club_id)
        wrong = 0
        derivation = derived(event)
        if derivation.unread:
            raise NotRebuilt(
                f"{game.external_id}: {fault.message}" for game, fault in derivation.unread
            )
        if derivation.lacking or derivation.strays:
            wrong += _tables_mend(derivation)
            derivation = derived(event)
        wrong += sum(_mend(cache, derivation) for cache in CACHES)
        if wrong:
            version_raise(event=event)
        journal.add(
            RebuildAction.EVENT_REBUILT, event.public_id, {"position": position, "wrong": wrong}
        )
    return Rebuilt(position, len(derivation.facts.tables), len(derivation.facts.games), wrong)


def _tables_mend(derivation: Derived) -> int:
    """Make tables that a draw has and that are gone, and remove those that no draw made, unless a
    game was entered there; how many."""
    rounds = {row.pk: row for row in derivation.facts.rounds}
    free: list[Table] = []
    for round_id, count in derivation.lacking.items():
        numbers_used = {
            table.number for table in derivation.facts.tables if table.stage_round_id == round_id
        }
        group = next(
            group_row
            for group_row in derivation.facts.groups
            if group_row.stage_id == rounds[round_id].stage_id
        )
        numbers = [
            number
            for number in range(1, len(numbers_used) + count + 1)
            if number not in numbers_used
        ][:count]
        free += [
            Table(stage_round=rounds[round_id], group=group, number=number) for number in numbers
        ]
    Table.objects.bulk_create(free)
    _, removed = Table.objects.filter(
        pk__in=derivation.strays, table_games=None, open_games=None
    ).delete()
    return len(free) + removed.get(Table._meta.label, 0)


def _mend(cache: CachedRows, derivation: Derived) -> int:
    """Make the rows of a cache what the facts give; how many were wrong."""
    stored_rows, expected_rows = derivation.stored[cache.name], derivation.wanted[cache.name]
    wrong = [key for key, row in stored_rows.items() if expected_rows.get(key) != row]
    missing = [key for key, row in expected_rows.items() if stored_rows.get(key) != row]
    rows = cache.model._default_manager
    if cache is TABLE:
        rows.bulk_update(_rows(cache, derivation, missing), cache.columns, batch_size=AT_ONCE)
        return len(missing)
    rows.filter(pk__in=wrong).delete()
    rows.bulk_create(_rows(cache, derivation, missing))
    return len({*wrong, *missing})


def _rows(cache: CachedRows, derivation: Derived, keys: Iterable[Key]) -> list[Model]:
    expected_rows = derivation.wanted[cache.name]
    names = (*cache.key, *cache.columns)
    return [
        cache.model(**dict(zip(names, (*key, *expected_rows[key]), strict=True))) for key in keys
    ]
