"""What a correction of a table's game would change in its event, and in a season that is counted by
events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeVar

from django.db.models import Exists, OuterRef, Q

from engine.record.kind import Ending
from engine.scoring.event_points import EventsRow
from engine.scoring.stage.results import PARTS
from engine.scoring.wording import written
from games.models import Game, Void
from league.core.player.models import Player
from league.counting.event_counting.domain import NamedPlayer
from league.counting.event_counting.queries import counting_of, events_ranking
from league.disputes.otherwise.domain.round import with_games, with_result
from league.disputes.otherwise.domain.stage import StageOtherwise, as_corrected, event_otherwise
from league.events.entry.models import Entry
from league.events.event.models import Event
from league.stages.placing.domain.place import event_places
from league.stages.placing.models import FinalRank
from league.stages.result.domain.score import ending_score
from league.stages.result.services.result import refuse_full, seats_at
from league.stages.stage.domain.facts import StageFacts, StageTable, played_game
from league.stages.stage.queries.facts import started_stages
from league.stages.table.models import Table, TableGame
from league.stages.table.queries.table import table_game_of
from league.standings.adjustment.domain import NO_ADJUSTMENTS, Adjustments
from league.standings.adjustment.models import Penalty, SetOrder

PlayerKey = TypeVar("PlayerKey", int, str)


class Standing(NamedTuple):
    """A rank, with points as people write them."""

    rank: int
    points: str


class StandingChange(NamedTuple):
    """Somebody's standing before and after a change, by name; None if they aren't ranked."""

    name: str
    before: Standing | None
    after: Standing | None


@dataclass(frozen=True, slots=True)
class EventEffect:
    """The changes in the stages of an event, in its final ranks and in its season. The latter two
    are empty until the event is over."""

    stages: tuple[StageOtherwise, ...]
    finals: tuple[StandingChange, ...]
    season: tuple[StandingChange, ...]


def event_effect(event: Event, stages: Sequence[StageFacts]) -> EventEffect:
    """Return what would change at an event if its stages were these."""
    changed_stages = tuple(event_otherwise(stages))
    if event.status != Event.Status.FINISHED:
        return EventEffect(changed_stages, finals=(), season=())

    names = {}
    for facts in stages:
        for member in facts.members.values():
            names[member.entry] = member.name
    before = {}
    for row in FinalRank.objects.filter(event=event):
        before[row.entry_id] = _standing(row.rank, row.points)
    places = {placed.entry: (placed.place, placed.score) for placed in event_places(stages)}
    after = {entry: _standing(place, score) for entry, (place, score) in places.items()}
    return EventEffect(
        changed_stages,
        finals=_changes(names, before, after),
        season=_season_changes(event, places),
    )


def _season_changes(
    event: Event, finals: Mapping[int, tuple[int, int]]
) -> tuple[StandingChange, ...]:
    """Return the changed standings in a season that is counted by events. `finals`: the new place
    and score at the event, by entry."""
    counting = counting_of(event.season)
    if counting is None:
        return ()
    before, people = events_ranking(event.season, counting)
    after, _ = events_ranking(event.season, counting, finals)
    names = {player_id: player.name for player_id, player in people.items()}
    return _changes(names, _by_player(before), _by_player(after))


def counting_effect(
    *, entry: Entry, guest: bool, substitutes: Player | None
) -> tuple[StandingChange, ...]:
    """Return the changed standings in a season that is counted by events if an entry were a
    `guest`'s, or counted for the player whom it `substitutes`; empty until its event is over."""
    season = entry.event.season
    counting = counting_of(season)
    if counting is None or entry.event.status != Event.Status.FINISHED:
        return ()
    counts_for = None
    if substitutes:
        player = substitutes.merged_into or substitutes
        counts_for = NamedPlayer(player.public_id, player.handle, player.name)
    before, people = events_ranking(season, counting)
    after, people_after = events_ranking(season, counting, entries={entry.pk: (guest, counts_for)})
    names = {player_id: player.name for player_id, player in {**people, **people_after}.items()}
    return _changes(names, _by_player(before), _by_player(after))


def _by_player(rows: Sequence[EventsRow]) -> dict[str, Standing]:
    return {row.player: Standing(row.rank, written(row.points)) for row in rows}


def _standing(rank: int, points: int) -> Standing:
    return Standing(rank, written(Fraction(points, PARTS)))


def _changes(
    names: Mapping[PlayerKey, str],
    before: Mapping[PlayerKey, Standing],
    after: Mapping[PlayerKey, Standing],
) -> tuple[StandingChange, ...]:
    changes = []
    for player, standing in sorted(after.items(), key=lambda item: item[1].rank):
        if before.get(player) != standing:
            changes.append(StandingChange(names[player], before.get(player), standing))
    for player, standing in before.items():
        if player not in after:
            changes.append(StandingChange(names[player], standing, None))
    return tuple(changes)


def corrected_since(event: Event) -> bool:
    """Return True if a game of an event was ever corrected, voided or adjusted. Otherwise no stage
    can need a decision."""
    games = TableGame.objects.filter(table__stage_round__stage__event=event)
    is_changed = Q(game__replaces__isnull=False)
    for model in (Void, Penalty, SetOrder):
        is_changed |= Q(Exists(model._default_manager.filter(game=OuterRef("game"))))
    return games.filter(is_changed).exists()


def _stage_of(stages: Sequence[StageFacts], stage_id: int) -> StageFacts | None:
    for facts in stages:
        if facts.stage.pk == stage_id:
            return facts
    return None


def _table_of(stages: Sequence[StageFacts], table: Table) -> tuple[StageFacts, StageTable] | None:
    facts = _stage_of(stages, table.stage_round.stage_id)
    if facts is None:
        return None
    for row in facts.tables:
        if row.pk == table.pk:
            return facts, row
    return None


def void_effect(
    *,
    game: Game,
    players: Sequence[int | None],
    ending: Ending | None,
    adjustments: Adjustments = NO_ADJUSTMENTS,
) -> EventEffect | None:
    """Return what would change at the event if a game of its table were void (no `ending`), or
    restored with this `ending` and these adjustments; None for a game without a table.

    Raise `Refused` if the table can't follow.
    """
    table_game = table_game_of(game)
    if table_game is None:
        return None
    table = table_game.table
    event = table.stage_round.stage.event
    seats = seats_at(table, players)
    if ending is not None:
        refuse_full(table)
    stages = started_stages(event)
    stage_and_row = _table_of(stages, table)
    if stage_and_row is None:
        return None

    facts, row = stage_and_row
    games = [other for other in row.games if other.game != game.public_id]
    if ending is not None:
        score = ending_score(seats, ending, adjustments)
        games.append(played_game(table_game.number, game.public_id, *score))
        games.sort(key=lambda played: played.number)
    return event_effect(event, as_corrected(stages, with_games(facts, table.pk, games)))


def result_effect(
    *,
    game: Game,
    players: Sequence[int | None],
    ending: Ending,
    adjustments: Adjustments = NO_ADJUSTMENTS,
) -> EventEffect | None:
    """Return what a correction of a table's game would change at the event; None for a game without
    a table.

    `players`, `ending` and `adjustments` are those of the corrected game. Raise `Refused` if the
    table can't have these players."""
    table_game = table_game_of(game)
    if table_game is None:
        return None
    seats = seats_at(table_game.table, players)
    stage = table_game.table.stage_round.stage
    stages = started_stages(stage.event)
    facts = _stage_of(stages, stage.pk)
    if facts is None:
        return None
    score = ending_score(seats, ending, adjustments)
    corrected = with_result(facts, played_game(table_game.number, game.public_id, *score))
    return event_effect(stage.event, as_corrected(stages, corrected))


def adjusted_effect(
    *, game: Game, players: Sequence[int | None], ending: Ending, adjustments: Adjustments
) -> EventEffect | None:
    """Return what would change at the event if a table's game, with these players and this ending,
    had these adjustments; None for a game without a table.

    Raise `Refused` if the table can't have these players.
    """
    table_game = table_game_of(game)
    if table_game is None:
        return None
    seats = seats_at(table_game.table, players)
    event = table_game.table.stage_round.stage.event
    stages = started_stages(event)
    stage_and_row = _table_of(stages, table_game.table)
    if stage_and_row is None:
        return None

    facts, row = stage_and_row
    score = ending_score(seats, ending, adjustments)
    adjusted = played_game(table_game.number, game.public_id, *score)
    games = [adjusted if played.game == game.public_id else played for played in row.games]
    return event_effect(event, as_corrected(stages, with_games(facts, row.pk, games)))
