"""All that a correction of a table's game would change in its event, and in a season that is
counted by events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import or_
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
from league.stages.stage.domain.facts import StageFacts, played_game
from league.stages.stage.queries.facts import started_stages
from league.stages.table.models import TableGame
from league.stages.table.queries.table import table_game_of
from league.standings.adjustment.domain import NO_ADJUSTMENTS, Adjustments
from league.standings.adjustment.models import Penalty, SetOrder

Who = TypeVar("Who", int, str)


class Standing(NamedTuple):
    """A rank with points, as people write them."""

    rank: int
    points: str


class StandingChange(NamedTuple):
    """The way in which somebody, by the name, would stand; None: not in the ranking."""

    name: str
    before: Standing | None
    after: Standing | None


@dataclass(frozen=True, slots=True)
class EventEffect:
    """The stages of which something would be otherwise, and who would stand elsewhere at the
    event's end and in the season; the latter two once the event is over."""

    stages: tuple[StageOtherwise, ...]
    finals: tuple[StandingChange, ...]
    season: tuple[StandingChange, ...]


def event_effect(event: Event, stages: Sequence[StageFacts]) -> EventEffect:
    """Read what would change at an event if its stages stood like this."""
    affected = tuple(event_otherwise(stages))
    if event.status != Event.Status.FINISHED:
        return EventEffect(affected, (), ())
    names = {member.entry: member.name for facts in stages for member in facts.members.values()}
    stored_places = {
        row.entry_id: (row.rank, row.points) for row in FinalRank.objects.filter(event=event)
    }
    finals = {placed.entry: (placed.place, placed.score) for placed in event_places(stages)}
    before, after = (
        {pk: _standing(*row) for pk, row in rows.items()} for rows in (stored_places, finals)
    )
    return EventEffect(affected, _changes(names, before, after), _season(event, finals))


def _season(event: Event, finals: Mapping[int, tuple[int, int]]) -> tuple[StandingChange, ...]:
    """Read who would stand elsewhere in a season that is counted by its events."""
    counting = counting_of(event.season)
    if counting is None:
        return ()
    before, people = events_ranking(event.season, counting)
    after, _ = events_ranking(event.season, counting, finals)
    return _changes(
        {player_id: player.name for player_id, player in people.items()},
        _by_player(before),
        _by_player(after),
    )


def counting_effect(
    *, entry: Entry, guest: bool, substitutes: Player | None
) -> tuple[StandingChange, ...]:
    """Read who would stand elsewhere in a season that is counted by its events if an entry were a
    guest's, or counted for that player; nobody before its event is over."""
    season = entry.event.season
    counting = counting_of(season)
    if counting is None or entry.event.status != Event.Status.FINISHED:
        return ()
    whom = substitutes and (substitutes.merged_into or substitutes)
    named = NamedPlayer(whom.public_id, whom.handle, whom.name) if whom else None
    before, people = events_ranking(season, counting)
    after, people_after = events_ranking(season, counting, entries={entry.pk: (guest, named)})
    names = {player_id: player.name for player_id, player in {**people, **people_after}.items()}
    return _changes(names, _by_player(before), _by_player(after))


def _by_player(rows: Sequence[EventsRow]) -> dict[str, Standing]:
    return {row.player: Standing(row.rank, written(row.points)) for row in rows}


def _standing(rank: int, points: int) -> Standing:
    return Standing(rank, written(Fraction(points, PARTS)))


def _changes(
    names: Mapping[Who, str], before: Mapping[Who, Standing], after: Mapping[Who, Standing]
) -> tuple[StandingChange, ...]:
    """Those who would stand elsewhere, in their new order."""
    moved: dict[Who, Standing] = {
        who: standing for who, standing in after.items() if before.get(who) != standing
    }
    return (
        *[
            StandingChange(names[who], before.get(who), standing)
            for who, standing in sorted(moved.items(), key=lambda item: item[1].rank)
        ],
        *[
            StandingChange(names[who], standing, None)
            for who, standing in before.items()
            if who not in after
        ],
    )


def corrected_since(event: Event) -> bool:
    """True if a game of an event was ever corrected, voided or adjusted: without that, nothing of
    it could be otherwise."""
    games = TableGame.objects.filter(table__stage_round__stage__event=event)
    facts = [
        model._default_manager.filter(game=OuterRef("game")) for model in (Void, Penalty, SetOrder)
    ]
    changed = [Q(game__replaces__isnull=False), *[Q(Exists(rows)) for rows in facts]]
    return games.filter(reduce(or_, changed)).exists()


def void_effect(
    *,
    game: Game,
    players: Sequence[int | None],
    ending: Ending | None,
    adjustments: Adjustments = NO_ADJUSTMENTS,
) -> EventEffect | None:
    """Read what it would change in its event if a table's game were void or, given its `ending` and
    what arbiters have adjusted, counted again; None for a game that counts at no table.

    Raises `Refused` as `void_follows` does.
    """
    table_game = table_game_of(game)
    if table_game is None:
        return None
    table = table_game.table
    stage = table.stage_round.stage
    seats = seats_at(table, players)
    if ending is not None:
        refuse_full(table)
    stages = started_stages(stage.event)
    facts = next((facts for facts in stages if facts.stage.pk == stage.pk), None)
    row = next((row for row in facts.tables if row.pk == table.pk), None) if facts else None
    if facts is None or row is None:
        return None
    games = [played for played in row.games if played.game != game.public_id]
    if ending is not None:
        score = ending_score(seats, ending, adjustments)
        games.append(played_game(table_game.number, game.public_id, *score))
        games.sort(key=lambda played: played.number)
    return event_effect(stage.event, as_corrected(stages, with_games(facts, table.pk, games)))


def result_effect(
    *,
    game: Game,
    players: Sequence[int | None],
    ending: Ending,
    adjustments: Adjustments = NO_ADJUSTMENTS,
) -> EventEffect | None:
    """Read what a correction of a table's game would change in its event; None for a game that
    counts at no table.

    `players`, `ending` and `adjustments` are those of the corrected game. Raises `Refused` as
    `results_follow` does."""
    table_game = table_game_of(game)
    if table_game is None:
        return None
    seats = seats_at(table_game.table, players)
    stage = table_game.table.stage_round.stage
    stages = started_stages(stage.event)
    facts = next((facts for facts in stages if facts.stage.pk == stage.pk), None)
    if facts is None:
        return None
    score = ending_score(seats, ending, adjustments)
    corrected = with_result(facts, played_game(table_game.number, game.public_id, *score))
    return event_effect(stage.event, as_corrected(stages, corrected))


def adjusted_effect(
    *, game: Game, players: Sequence[int | None], ending: Ending, adjustments: Adjustments
) -> EventEffect | None:
    """Read what it would change in its event if arbiters had adjusted this in a table's game, which
    has these players and ended so; None for a game that counts at no table.

    Raises `Refused` as `adjustment_follows` does.
    """
    table_game = table_game_of(game)
    if table_game is None:
        return None
    seats = seats_at(table_game.table, players)
    stage = table_game.table.stage_round.stage
    stages = started_stages(stage.event)
    facts = next((facts for facts in stages if facts.stage.pk == stage.pk), None)
    row = (
        next((row for row in facts.tables if row.pk == table_game.table_id), None)
        if facts
        else None
    )
    if facts is None or row is None:
        return None
    adjusted = played_game(
        table_game.number, game.public_id, *ending_score(seats, ending, adjustments)
    )
    games = [adjusted if played.game == game.public_id else played for played in row.games]
    return event_effect(stage.event, as_corrected(stages, with_games(facts, row.pk, games)))
