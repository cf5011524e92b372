"""The facts that an event's derived rows follow from, in a fixed number of queries.

Facts are the draws, the games sealed at tables, the walkovers, and the entries of the club's log
that tell who took part in a stage and who challenged whom. With them comes what people have set:
entries, stages, rounds, the timetable."""

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
    Derived,
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

TELLING: Final = (StageAction.STARTED, StageAction.CHANGED, TableAction.CHALLENGED)
"""What tells who takes part in a stage, and who sits at a table that wasn't drawn."""
GAMES: Final = 300
"""Games whose rounds are in memory at once."""


def event_facts(event: Event) -> EventFacts:
    """The facts of an event; eleven queries, and one for each `GAMES` of its games when they are
    asked for."""
    stages = tuple(Stage.objects.filter(event=event).order_by("number"))
    rounds = tuple(StageRound.objects.filter(stage__event=event).order_by("number", "pk"))
    tables = tuple(Table.objects.filter(stage_round__stage__event=event).order_by("pk"))
    undrawn = {stage.pk for stage in stages if stage.format_rules.undrawn}
    set_up = {row.pk for row in rounds if row.stage_id in undrawn}
    subjects = [stage.public_id for stage in stages]
    subjects += [table.public_id for table in tables if table.stage_round_id in set_up]
    newest = Draw.objects.filter(stage_round__stage__event=event).order_by(
        "stage_round_id", "group__number", "-revision"
    )
    drawn = newest.distinct("stage_round_id", "group__number")
    draws = lists_by_key((draw.stage_round_id, draw) for draw in drawn)
    newest_games = TableGame.objects.filter(
        table__stage_round__stage__event=event, game__corrections__isnull=True
    )
    voided = Void.objects.filter(game=OuterRef("game")).order_by("-number").values("stands")[:1]
    newest_games = newest_games.alias(voided=Coalesce(Subquery(voided), False)).filter(voided=False)
    return EventFacts(
        event=event,
        entries=tuple(
            Entry.objects.select_related("player").filter(event=event).order_by("number")
        ),
        stages=stages,
        groups=tuple(Group.objects.filter(stage__event=event).order_by("stage", "number")),
        rounds=rounds,
        tables=tables,
        draws=draws,
        steps=_steps(event.club_id, subjects),
        games=tuple(
            EnteredGame(*row)
            for row in newest_games.order_by("table", "number").values_list(
                "table", "number", "game", "game__public_id", "game__external_id"
            )
        ),
        walkovers=_walkovers(event),
        places=places_published(event.pk),
    )


def sealed_games(games: Sequence[EnteredGame]) -> Iterator[tuple[EnteredGame, GameFacts | None]]:
    """Games with their sealed rounds, read in portions; None for one that no season has."""
    for start in range(0, len(games), GAMES):
        portion = games[start : start + GAMES]
        games_by_id = {
            game.game_id: game
            for game in games_named([entered_game.game for entered_game in portion])
        }
        yield from ((entered_game, games_by_id.get(entered_game.game)) for entered_game in portion)


def _walkovers(event: Event) -> dict[int, WalkoverAt]:
    """The tables of an event that are given without play, by the newest that was said of each."""
    walkovers = Walkover.objects.filter(table__stage_round__stage__event=event).order_by(
        "table_id", "-revision"
    )
    return {
        row.table_id: WalkoverAt(tuple(row.absent), row.reason)
        for row in walkovers.distinct("table_id")
        if row.stands
    }


def _steps(club_id: int, subjects: Sequence[str]) -> dict[str, list[LogStep]]:
    """Read what the club's log tells of these, in its order."""
    entries = LogEntry.objects.filter(
        club=club_id, action__in=TELLING, subject__in=subjects
    ).order_by("position")
    rows = entries.values_list("subject", "action", "payload")
    return lists_by_key(
        (subject, LogStep(action, json.loads(payload))) for subject, action, payload in rows
    )


def derived(event: Event) -> Derived:
    """The derived rows of an event, from one view of the database; a fixed number of queries, and
    one for each portion of games."""
    facts = event_facts(event)
    return derivation(
        facts,
        {cache.name: stored_rows(cache, event) for cache in CACHES},
        sealed_games(facts.games),
    )


def stored_rows(cache: CachedRows, event: Event) -> KeyedRows:
    """The rows of an event as they are stored; one query."""
    rows = cache.model._default_manager.filter(**{cache.event: event}).values_list(
        *cache.key, *cache.columns
    )
    return {row[: len(cache.key)]: row[len(cache.key) :] for row in rows}
