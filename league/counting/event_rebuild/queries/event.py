"""The facts that an event's rows are derived from, in a fixed number of queries.

Facts are the draws, the games sealed at tables, the walkovers, and the log entries about stages'
participants and challenges. Settings by people come with them: entries, stages, rounds, the
timetable."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from engine.grouping import lists_by_key
from games.models import Void
from league.core.log.models import LogEntry
from league.counting.event_rebuild.domain import (
    CACHES,
    CachedRows,
    DerivedRows,
    EnteredGame,
    EventFacts,
    KeyedRows,
    LogStep,
    derivation,
)
from league.events.entry.models import Entry
from league.events.event.models import Event
from league.floor.timetable.queries import places_published
from league.stages.draw.models import Draw
from league.stages.round.models import StageRound
from league.stages.stage.actions import StageAction
from league.stages.stage.domain.facts import WalkoverAt
from league.stages.stage.models import Group, Stage
from league.stages.table.actions import TableAction
from league.stages.table.models import Table, TableGame, Walkover
from league.standings.ranked_game.domain.game import GameFacts
from league.standings.ranking.queries.source import games_named

PARTICIPANT_ACTIONS: Final = (StageAction.STARTED, StageAction.CHANGED, TableAction.CHALLENGED)
"""The actions that say who takes part in a stage, and who sits at a table without a draw."""
BATCH: Final = 300
"""The number of games whose rounds are in memory at the same time."""


def event_facts(event: Event) -> EventFacts:
    """Return the facts of an event; eleven queries."""
    stages = tuple(Stage.objects.filter(event=event).order_by("number"))
    rounds = tuple(StageRound.objects.filter(stage__event=event).order_by("number", "pk"))
    tables = tuple(Table.objects.filter(stage_round__stage__event=event).order_by("pk"))
    undrawn_stages = {stage.pk for stage in stages if stage.format_rules.undrawn}
    undrawn_rounds = {row.pk for row in rounds if row.stage_id in undrawn_stages}
    subjects = [stage.public_id for stage in stages]
    subjects += [table.public_id for table in tables if table.stage_round_id in undrawn_rounds]
    entries = Entry.objects.select_related("player").filter(event=event)
    return EventFacts(
        event=event,
        entries=tuple(entries.order_by("number")),
        stages=stages,
        groups=tuple(Group.objects.filter(stage__event=event).order_by("stage", "number")),
        rounds=rounds,
        tables=tables,
        draws=_newest_draws(event),
        steps=_steps(event.club_id, subjects),
        games=_newest_games(event),
        walkovers=_standing_walkovers(event),
        places=places_published(event.pk),
    )


def _newest_draws(event: Event) -> dict[int, list[Draw]]:
    draws = Draw.objects.filter(stage_round__stage__event=event).order_by(
        "stage_round_id", "group__number", "-revision"
    )
    newest = draws.distinct("stage_round_id", "group__number")
    return lists_by_key((draw.stage_round_id, draw) for draw in newest)


def _newest_games(event: Event) -> tuple[EnteredGame, ...]:
    voids = Void.objects.filter(game=OuterRef("game")).order_by("-number")
    games = (
        TableGame.objects.filter(
            table__stage_round__stage__event=event, game__corrections__isnull=True
        )
        .alias(voided=Coalesce(Subquery(voids.values("stands")[:1]), False))
        .filter(voided=False)
        .order_by("table", "number")
    )
    columns = ("table", "number", "game", "game__public_id", "game__external_id")
    return tuple(EnteredGame(*row) for row in games.values_list(*columns))


def sealed_games(games: Sequence[EnteredGame]) -> Iterator[tuple[EnteredGame, GameFacts | None]]:
    """Yield games with their sealed rounds, a query for each `BATCH` of them; None for a game
    without a season."""
    for start in range(0, len(games), BATCH):
        batch = games[start : start + BATCH]
        facts = games_named([entered_game.game for entered_game in batch])
        facts_by_id = {game.game_id: game for game in facts}
        for entered_game in batch:
            yield entered_game, facts_by_id.get(entered_game.game)


def _standing_walkovers(event: Event) -> dict[int, WalkoverAt]:
    walkovers = Walkover.objects.filter(table__stage_round__stage__event=event).order_by(
        "table_id", "-revision"
    )
    return {
        row.table_id: WalkoverAt(tuple(row.absent), row.reason)
        for row in walkovers.distinct("table_id")
        if row.stands
    }


def _steps(club_id: int, subjects: Sequence[str]) -> dict[str, list[LogStep]]:
    """Return the log entries about these subjects that say who plays where, by subject, in
    order."""
    entries = LogEntry.objects.filter(
        club=club_id, action__in=PARTICIPANT_ACTIONS, subject__in=subjects
    ).order_by("position")
    rows = entries.values_list("subject", "action", "payload")
    return lists_by_key(
        (subject, LogStep(action, json.loads(payload))) for subject, action, payload in rows
    )


def derived_rows(event: Event) -> DerivedRows:
    """Return the rows of an event that follow from its facts, as stored and as expected. A fixed
    number of queries is made, and one for each batch of games. Nothing is written."""
    facts = event_facts(event)
    stored = {cache.name: stored_rows(cache, event) for cache in CACHES}
    return derivation(facts, stored, sealed_games(facts.games))


def stored_rows(cache: CachedRows, event: Event) -> KeyedRows:
    """Return the stored rows of one kind of an event, by key. One query."""
    rows = cache.model._default_manager.filter(**{cache.event: event}).values_list(
        *cache.key, *cache.columns
    )
    return {row[: len(cache.key)]: row[len(cache.key) :] for row in rows}
