"""The derived rows of an event: as they are stored, and as its facts give them."""

from __future__ import annotations

from league.counting.counting.domain import CACHES, CachedRows, Derived, KeyedRows, derivation
from league.counting.counting.queries.event import event_facts, sealed_games
from league.events.event.models import Event


def derived(event: Event) -> Derived:
    """The derived rows of an event, from one view of the database; a fixed number of queries, and one for each portion
    of games."""
    facts = event_facts(event)
    return derivation(facts, {cache.name: stored_rows(cache, event) for cache in CACHES}, sealed_games(facts.games))


def stored_rows(cache: CachedRows, event: Event) -> KeyedRows:
    """The rows of an event as they are stored; one query."""
    rows = cache.model._default_manager.filter(**{cache.event: event}).values_list(*cache.key, *cache.columns)
    return {row[: len(cache.key)]: row[len(cache.key) :] for row in rows}
