"""A stage as its pages and its draws read it: who takes part, the tables of all rounds, and what came of them.

Five queries, however many play. The ranking is folded when it is asked for: no row of it is stored, so a result costs
the same at whatever size.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, Final, NamedTuple

from django.db import connection
from django.db.models import Q, QuerySet

from engine.scoring.stage.ranking import StageRow, stage_ranking
from engine.scoring.stage.results import GameResult, RoundBye, StageParticipant, StageResults, TableResult
from engine.scoring.stage.rules import StageRules, StageScoring, StageTieBreak
from league.events.models import Draw, Entry, Group, Participant, Stage, StageRound, Table


class Member(NamedTuple):
    """Somebody who takes part in a stage. `id` is the entry's public id, `player` that of the player.

    `plays`: a draw seats them. `withdrawn`: they don't come any more.
    """

    entry: int
    id: str
    player: str
    handle: str
    name: str
    group: int
    seed: int
    carried: int
    plays: bool
    withdrawn: bool
    guest: bool


class PlayedGame(NamedTuple):
    """A game of a table: its number there, its public id, and by entry in the order of `entries` what it brought.

    `ranks` is None until it is over.
    """

    number: int
    game: str
    entries: tuple[int, ...]
    ranks: tuple[int, ...] | None
    points: tuple[int, ...] | None


class WalkoverAt(NamedTuple):
    """That a table was given without play: the entries of those who weren't there, and why."""

    absent: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class StageTable:
    """A table of a stage. `entries` are in seat order, by their row ids. `walkover`: None where it is played."""

    pk: int
    id: str
    round: int
    group: int
    number: int
    label: str
    place: str
    starts_at: datetime | None
    finished: bool
    entries: tuple[int, ...]
    games: tuple[PlayedGame, ...]
    walkover: WalkoverAt | None

    @property
    def present(self) -> tuple[int, ...]:
        """The entries of those for whom a table was given without play; everybody at one that is played."""
        absent = self.walkover.absent if self.walkover else ()
        return tuple(entry for entry in self.entries if entry not in absent)


class StageDraw(NamedTuple):
    """The newest draw of a group's round, as it is stored."""

    round: int
    group: int
    id: str
    revision: int
    by_hand: bool
    reason: str
    input: str
    answer: str


@dataclass(frozen=True, slots=True)
class StageFacts:
    """All of a stage. `rounds` are those that weren't taken back and could be drawn, in order."""

    stage: Stage
    groups: tuple[Group, ...]
    members: dict[int, Member]
    rounds: tuple[StageRound, ...]
    tables: tuple[StageTable, ...]
    draws: tuple[StageDraw, ...]

    def group_members(self, group: int) -> list[Member]:
        """Those of a group, in the order of their seeding."""
        return sorted((member for member in self.members.values() if member.group == group), key=lambda it: it.seed)

    def group_tables(self, group: int) -> list[StageTable]:
        """The tables of a group, in the order of their rounds and numbers."""
        return [table for table in self.tables if table.group == group]

    def played_tables(self, group: int) -> list[StageTable]:
        """Those of them that weren't given without play."""
        return [table for table in self.group_tables(group) if table.walkover is None]

    def ids(self, table: StageTable) -> tuple[str, ...]:
        """The ids of those at a table, in seat order."""
        return tuple(self.members[entry].id for entry in table.entries)

    def byes(self, group: int) -> list[tuple[int, str]]:
        """Who sat out, by the id of the entry, with the round."""
        return [
            (draw.round, id)
            for draw in self.draws
            if draw.group == group
            for id in json.loads(draw.answer).get("bye", ())
        ]

    def walkovers(self, group: int) -> list[tuple[int, str]]:
        """For whom a table was given without play, by the id of the entry, with the round: it counts as a bye."""
        return [
            (table.round, self.members[entry].id)
            for table in self.group_tables(group)
            if table.walkover
            for entry in table.present
        ]

    @property
    def open_tables(self) -> list[StageTable]:
        """The tables that aren't finished."""
        return [table for table in self.tables if not table.finished]


def stage_rules(stage: Stage) -> StageRules:
    """How a stage is ranked, as the engine has it."""
    return StageRules(
        scoring=StageScoring(stage.scoring),
        size=stage.sizes[0],
        tie_breaks=tuple(StageTieBreak(name) for name in stage.tie_breaks),
        seed=stage.seed,
        games=stage.games,
    )


def stage_facts(stage: Stage) -> StageFacts:
    """All of a stage that comes from a loader."""
    rounds = (
        StageRound.objects.filter(stage=stage)
        .exclude(status__in=[StageRound.Status.TAKEN_BACK, StageRound.Status.FAILED])
        .order_by("number")
    )
    return StageFacts(
        stage=stage,
        groups=tuple(Group.objects.filter(stage=stage, number__lte=stage.groups).order_by("number")),
        members=_members(Participant.objects.filter(stage=stage)),
        rounds=tuple(rounds),
        tables=_tables(TABLES + DRAWN, stage.pk),
        draws=_draws(stage),
    )


def table_facts(table: Table) -> StageFacts:
    """A stage as one table of it knows it: that table alone, with those who sit there, and no draw.

    Three queries; what comes of a table is entered with these, so that a result costs the same at whatever size.
    """
    stage = table.stage_round.stage
    return StageFacts(
        stage=stage,
        groups=tuple(Group.objects.filter(pk=table.group_id)),
        members=_members(Participant.objects.filter(stage=stage, entry__in=table.seats.values("entry"))),
        rounds=(table.stage_round,),
        tables=_tables(TABLES + ONE, stage.pk, table.pk),
        draws=(),
    )


def group_results(facts: StageFacts, group: int) -> StageResults:
    """What a group is ranked from; people are named by the public ids of their entries."""
    members = facts.group_members(group)
    return StageResults(
        rules=stage_rules(facts.stage),
        participants=tuple(
            StageParticipant(member.id, member.name, member.seed, Fraction(member.carried, 840), member.withdrawn)
            for member in members
        ),
        tables=tuple(table_result(facts, table) for table in facts.played_tables(group)),
        byes=tuple(RoundBye(number, id) for number, id in (*facts.byes(group), *facts.walkovers(group))),
    )


def group_ranking(facts: StageFacts, group: int) -> tuple[StageRow, ...]:
    """The ranking of a group, best first, computed from the tables' results."""
    return stage_ranking(group_results(facts, group))


def table_result(facts: StageFacts, table: StageTable) -> TableResult:
    """A table as the engine scores it: those who played there, in seat order; unfinished games are left out."""
    over = [game for game in table.games if game.ranks is not None]
    played = {entry for game in over for entry in game.entries}
    seats = [entry for entry in table.entries if not over or entry in played]
    return TableResult(
        table.round,
        tuple(facts.members[entry].id for entry in seats),
        tuple(_game_result(game, seats) for game in over),
    )


def _game_result(game: PlayedGame, seats: list[int]) -> GameResult:
    ranks = dict(zip(game.entries, game.ranks or (), strict=True))
    points = dict(zip(game.entries, game.points, strict=True)) if game.points is not None else None
    rank = tuple(ranks[entry] for entry in seats)
    return GameResult(rank, tuple(points[entry] for entry in seats) if points is not None else None)


TABLES: Final = (
    "SELECT tab.id, tab.public_id, round.number, tab.group_id, tab.number, tab.label, tab.place, tab.starts_at,"
    " tab.finished,"
    " ARRAY(SELECT entry_id FROM league_tableseat seat WHERE seat.table_id = tab.id ORDER BY seat),"
    " (SELECT json_agg(json_build_array(result.number,"
    "  (SELECT public_id FROM games_game WHERE id = result.game_id), result.entries, result.ranks, result.points)"
    "  ORDER BY result.number) FROM league_tablescore result WHERE result.table_id = tab.id),"
    " (SELECT CASE WHEN stands THEN json_build_array(absent, reason) END FROM league_walkover"
    "  WHERE table_id = tab.id ORDER BY revision DESC LIMIT 1)"
    " FROM league_stageround round JOIN league_table tab ON tab.stage_round_id = round.id"
    " WHERE round.stage_id = %s"
)
DRAWN: Final = " AND round.status NOT IN ('taken_back', 'failed') ORDER BY round.number, tab.number"
ONE: Final = " AND tab.id = %s"


def _members(participants: QuerySet[Participant]) -> dict[int, Member]:
    entered = Q(entry__status=Entry.Status.ENTERED)
    people = participants.order_by().annotate(plays=entered & Q(entry__checked_in_at__isnull=False), withdrawn=~entered)
    rows = people.values_list(
        *("entry", "entry__public_id", "entry__player__public_id", "entry__player__handle", "entry__player__name"),
        *("group", "seed", "carried", "plays", "withdrawn", "entry__guest"),
    )
    return {row[0]: Member(*row) for row in rows}


def _tables(query: str, *keys: int) -> tuple[StageTable, ...]:
    with connection.cursor() as cursor:
        cursor.execute(query, keys)
        return tuple(_table(*row) for row in cursor.fetchall())


def _table(*row: Any) -> StageTable:
    *columns, entries, games, walkover = row
    played = tuple(_played_game(*game) for game in games or ())
    given = WalkoverAt(tuple(walkover[0]), walkover[1]) if walkover else None
    return StageTable(*[*columns, tuple(entries), played, given])


def _played_game(number: int, game: str, entries: list[int], ranks: Any, points: Any) -> PlayedGame:
    return PlayedGame(
        number, game, tuple(entries), None if ranks is None else tuple(ranks), None if points is None else tuple(points)
    )


def _draws(stage: Stage) -> tuple[StageDraw, ...]:
    draws = Draw.objects.filter(stage_round__stage=stage).exclude(
        stage_round__status__in=(StageRound.Status.TAKEN_BACK, StageRound.Status.FAILED)
    )
    rows = draws.order_by("stage_round__number", "group_id", "-revision").distinct("stage_round__number", "group_id")
    columns = ("group_id", "public_id", "revision", "by_hand", "reason", "input", "answer")
    return tuple(StageDraw(*row) for row in rows.values_list("stage_round__number", *columns))
