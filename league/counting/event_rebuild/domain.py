"""All that follows from an event's facts, as it is stored and as the facts give it: what a rebuild
writes, and what a verification compares. No cell is taken from another one that is stored.

- Who takes part in a stage, in which group and with which seed: from what the log tells of its
  start and of who joined; the points carried over: from the games of the stages before.
- A table's number, group, label and seats: from the newest draw of its group's round; where nothing
  is drawn, from what the log tells of its being set up. Where and when it is played, until it is
  finished: from the published timetable.
- What a game brought: from its newest revision's sealed rounds and the seats, unless it is void;
  whether a table is finished: from that, or from the walkover by which it was given without play.
- Final ranks: from all of that, once the event is finished.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from django.db.models import Model

from engine.grouping import lists_by_key
from engine.illegal import Illegal
from engine.messages import say
from league.events.entry.models import Entry
from league.events.event.models import Event
from league.floor.timetable.domain.timetable import Timed, place_of
from league.stages.draw.models import Draw
from league.stages.placing.domain.place import event_places, with_carried
from league.stages.placing.models import FinalRank
from league.stages.result.domain.score import Score, score_of
from league.stages.round.models import StageRound
from league.stages.stage.actions import StageAction
from league.stages.stage.domain.facts import (
    NO_ROUND,
    Member,
    PlayedGame,
    StageDraw,
    StageFacts,
    StageTable,
    WalkoverAt,
    played_game,
)
from league.stages.stage.domain.group import group_at
from league.stages.stage.domain.table_name import table_number
from league.stages.stage.models import Group, Participant, Stage
from league.stages.table.actions import TableAction
from league.stages.table.domain.level import is_played_out
from league.stages.table.models import Table, TableScore, TableSeat
from league.standings.ranked_game.domain.game import GameFacts

Key: TypeAlias = tuple[int, ...]
KeyedRows: TypeAlias = dict[Key, tuple[Any, ...]]


class CachedRows(NamedTuple):
    """Derived rows: what they are called, by which columns one is found, and which columns follow
    from facts."""

    name: str
    model: type[Model]
    event: str
    key: tuple[str, ...]
    columns: tuple[str, ...]


PARTICIPANT: Final = CachedRows(
    "participant",
    Participant,
    "stage__event",
    ("stage_id", "entry_id"),
    ("group_id", "seed", "carried"),
)
TABLE: Final = CachedRows(
    "table",
    Table,
    "stage_round__stage__event",
    ("id",),
    ("number", "group_id", "label", "place", "starts_at", "finished"),
)
SEAT: Final = CachedRows(
    "seat", TableSeat, "table__stage_round__stage__event", ("table_id", "seat"), ("entry_id",)
)
SCORE: Final = CachedRows(
    "score",
    TableScore,
    "table__stage_round__stage__event",
    ("table_id", "number"),
    ("game_id", "entries", "ranks", "points", "order", "penalties"),
)
FINAL_RANK: Final = CachedRows(
    "final rank", FinalRank, "event", ("event_id", "entry_id"), ("rank", "points")
)
CACHES: Final = (PARTICIPANT, TABLE, SEAT, SCORE, FINAL_RANK)


class LogStep(NamedTuple):
    """An entry of the log: what was done, and what it says."""

    action: str
    payload: dict[str, Any]


class EnteredGame(NamedTuple):
    """The newest revision of a game that was entered at a table, as its game `number`, and isn't
    void."""

    table: int
    number: int
    game: int
    game_id: str
    external_id: str


@dataclass(frozen=True, slots=True)
class EventFacts:
    """All of an event that anything of it follows from.

    `entries` come with their players; `draws` are the newest of each group's round, in the order of
    the groups, by the round's row id; `steps` has what the log tells of a stage or a table, by its
    public id, in order. `walkovers` are those that stand, by the table's row id; `places` is the
    published timetable. Tables' rows say which tables there are; what else stands in them follows
    from facts."""

    event: Event
    entries: tuple[Entry, ...]
    stages: tuple[Stage, ...]
    groups: tuple[Group, ...]
    rounds: tuple[StageRound, ...]
    tables: tuple[Table, ...]
    draws: dict[int, list[Draw]]
    steps: dict[str, list[LogStep]]
    games: tuple[EnteredGame, ...]
    walkovers: dict[int, WalkoverAt]
    places: dict[tuple[int, int, int], Timed]

    def groups_of(self, stage: Stage) -> list[Group]:
        """The groups that a stage is played in."""
        return [
            group
            for group in self.groups
            if group.stage_id == stage.pk and group.number <= stage.groups
        ]


class DrawnTable(NamedTuple):
    """A table as its draw has it, or who set it up: the ids of entries in seat order."""

    group: int
    label: str
    ids: Sequence[str]


class Unread(NamedTuple):
    """A game at a table that tells nothing there, and why."""

    game: EnteredGame
    fault: Illegal


@dataclass(slots=True)
class Derived:
    """The derived rows of an event: `stored`, and as the facts give them (`wanted`), by the cache's
    name.

    `unread`: games that can't be counted; what would follow from them is wanted as it is stored.
    `lacking`: how many tables of a round have no row; `strays`: tables that no draw made. `seats`
    (the entries there) and `played` are what the tables came to on the way, by their row ids."""

    facts: EventFacts
    stored: dict[str, KeyedRows]
    wanted: dict[str, KeyedRows] = field(
        default_factory=lambda: {cache.name: {} for cache in CACHES}
    )
    unread: list[Unread] = field(default_factory=list)
    lacking: dict[int, int] = field(default_factory=dict)
    strays: list[int] = field(default_factory=list)
    seats: dict[int, list[int]] = field(default_factory=dict)
    played: dict[int, list[PlayedGame]] = field(default_factory=dict)


def derivation(
    facts: EventFacts,
    stored: dict[str, KeyedRows],
    games: Iterable[tuple[EnteredGame, GameFacts | None]],
) -> Derived:
    """The derived rows of an event, from its facts, the rows that are `stored`, by the cache's
    name, and its games with their sealed rounds (None for one that no season has)."""
    work = Derived(facts, stored)
    members = {stage.pk: _members(facts, stage) for stage in facts.stages}
    placed = _tables(work)
    _scores(work, games)
    tables = _table_rows(work, placed, {stage: len(people) for stage, people in members.items()})
    stages = [
        _stage_facts(work, stage, members[stage.pk], tables)
        for stage in facts.stages
        if stage.status != Stage.Status.PLANNED
    ]
    _standing(work, stages if work.unread else with_carried(stages))
    return work


def _members(facts: EventFacts, stage: Stage) -> dict[int, Member]:
    """Those who take part in a stage, by the log: those with whom it was started last, then whoever
    joined."""
    groups = {group.number: group for group in facts.groups if group.stage_id == stage.pk}
    count = len(facts.groups_of(stage))
    entries = {entry.public_id: entry for entry in facts.entries}
    members: dict[int, Member] = {}
    for action, payload in facts.steps.get(stage.public_id, ()):
        if action == StageAction.STARTED or payload.get("started") is False:
            members = {}
        divisions = dict(
            zip(payload.get("participants", ()), payload.get("divisions", ()), strict=False)
        )
        for place, entry in enumerate(_known(entries, payload.get("participants", ()))):
            number = divisions.get(entry.public_id) or group_at(place, count)
            members[entry.pk] = _member(entry, groups[number], place + 1)
        for entry_id, number in zip(
            payload.get("joined", ()), payload.get("groups", ()), strict=True
        ):
            for entry in _known(entries, [entry_id]):
                members[entry.pk] = _member(entry, groups[number], len(members) + 1)
    return members


def _known(entries: Mapping[str, Entry], ids: Iterable[str]) -> list[Entry]:
    """The entries with these ids; one that nobody has (any more) is passed over."""
    return [entries[public_id] for public_id in ids if public_id in entries]


def _member(entry: Entry, group: Group, seed: int) -> Member:
    player = entry.player
    return Member(
        entry=entry.pk,
        entry_id=entry.public_id,
        player=player.public_id,
        handle=player.handle,
        name=player.name,
        group=group.pk,
        seed=seed,
        carried=0,
        plays=entry.plays,
        withdrawn=entry.status != Entry.Status.ENTERED,
        guest=entry.guest,
    )


def _tables(work: Derived) -> dict[int, tuple[int, DrawnTable]]:
    """Find for each row its table in the draw, with its number there; and note the seats."""
    facts = work.facts
    entries = {entry.public_id: entry for entry in facts.entries}
    rows = lists_by_key((row.stage_round_id, row) for row in facts.tables)
    table_numbers: dict[int, tuple[int, DrawnTable]] = {}
    for stage_round in facts.rounds:
        round_rows = rows.get(stage_round.pk, [])
        drawn_tables = _drawn_tables(facts, stage_round)
        pairs = _paired(round_rows, len(drawn_tables))
        numbers = {row.pk: (number, drawn_tables[number - 1]) for row, number in pairs}
        numbers = numbers or _set_up_tables(facts, stage_round, round_rows)
        table_numbers |= numbers
        for pk, (_, table) in numbers.items():
            work.seats[pk] = [entry.pk for entry in _known(entries, table.ids)]
            for seat, entry in enumerate(work.seats[pk]):
                work.wanted[SEAT.name][pk, seat] = (entry,)
        if len(round_rows) < len(drawn_tables):
            work.lacking[stage_round.pk] = len(drawn_tables) - len(round_rows)
        work.strays += [row.pk for row in round_rows if row.pk not in table_numbers]
    return table_numbers


def _drawn_tables(facts: EventFacts, stage_round: StageRound) -> list[DrawnTable]:
    """The tables of a round's draws in the order of their numbers."""
    drawn_tables = []
    for draw in facts.draws.get(stage_round.pk, ()):
        answer = json.loads(draw.answer)
        labels = answer.get("labels") or [""] * len(answer["tables"])
        drawn_tables += [
            DrawnTable(draw.group_id, label, ids)
            for ids, label in zip(answer["tables"], labels, strict=True)
        ]
    return drawn_tables


def _set_up_tables(
    facts: EventFacts, stage_round: StageRound, rows: Sequence[Table]
) -> dict[int, tuple[int, DrawnTable]]:
    """The tables of a round that wasn't drawn by row id, with their numbers, as the log tells of
    their being set up."""
    stage = next(stage for stage in facts.stages if stage.pk == stage_round.stage_id)
    return {
        row.pk: (
            payload.get("table", 1),
            DrawnTable(facts.groups_of(stage)[0].pk, "", payload["players"]),
        )
        for row in rows
        for action, payload in facts.steps.get(row.public_id, ())
        if action == TableAction.CHALLENGED
    }


def _paired(rows: Sequence[Table], count: int) -> Iterable[tuple[Table, int]]:
    """The rows of a round with their numbers from 1 to `count`; those with another number in the
    order in which they were made."""
    by_number = {row.number: row for row in rows}
    lost = [row for row in rows if not 1 <= row.number <= count]
    free = [number for number in range(1, count + 1) if number not in by_number]
    numbered = [(row, number) for number, row in by_number.items() if 1 <= number <= count]
    return [*numbered, *zip(lost, free, strict=False)]


def _scores(work: Derived, games: Iterable[tuple[EnteredGame, GameFacts | None]]) -> None:
    """Note what the games brought their tables."""
    players = {
        entry.pk: entry.player.merged_into_id or entry.player_id for entry in work.facts.entries
    }
    for entered_game, game in games:
        seated = {players[entry]: entry for entry in work.seats.get(entered_game.table, ())}
        score = (
            Illegal("no_season", say("the game belongs to no season"))
            if game is None
            else score_of(game, seated)
        )
        if isinstance(score, Illegal):
            work.unread.append(Unread(entered_game, score))
            continue
        work.wanted[SCORE.name][entered_game.table, entered_game.number] = (
            entered_game.game,
            *score,
        )
        work.played.setdefault(entered_game.table, []).append(_played(entered_game, score))
    for table in {unread.game.table for unread in work.unread}:
        stored_scores = work.stored[SCORE.name]
        work.wanted[SCORE.name] |= {
            key: row for key, row in stored_scores.items() if key[0] == table
        }


def _played(entered_game: EnteredGame, score: Score) -> PlayedGame:
    return played_game(entered_game.number, entered_game.game_id, *score)


def _table_rows(
    work: Derived, placed: Mapping[int, tuple[int, DrawnTable]], counts: Mapping[int, int]
) -> dict[int, list[StageTable]]:
    """The rows of tables as they are wanted; and the tables of each round, as a stage has them.
    `counts`: how many take part in each stage."""
    facts = work.facts
    stages = {stage.pk: stage for stage in facts.stages}
    rounds = {row.pk: row for row in facts.rounds}
    unread = {unreadable.game.table for unreadable in work.unread}
    tables_by_round: dict[int, list[StageTable]] = {}
    for row in facts.tables:
        if row.pk not in placed:
            continue
        number, table = placed[row.pk]
        stage_round = rounds[row.stage_round_id]
        stage = stages[stage_round.stage_id]
        games = sorted(work.played.get(row.pk, []), key=lambda game: game.number)
        walkover = facts.walkovers.get(row.pk)
        played = (
            row.finished
            if row.pk in unread
            else is_played_out(stage, table.label, games, counts[stage.pk])
        )
        finished = played or walkover is not None
        place, starts_at = row.place, row.starts_at
        if not finished and stage_round.status not in NO_ROUND:
            timed = facts.places.get((stage.pk, stage_round.number, number))
            place, starts_at = place_of(stage, stage_round.number, number, timed)
        work.wanted[TABLE.name][(row.pk,)] = (
            number,
            table.group,
            table.label,
            place,
            starts_at,
            finished,
        )
        tables_by_round.setdefault(stage_round.pk, []).append(
            StageTable(
                pk=row.pk,
                public_id=row.public_id,
                round_number=stage_round.number,
                group=table.group,
                number=number,
                sign=table_number(stage, stage_round.number, number),
                label=table.label,
                place=place,
                starts_at=starts_at,
                finished=finished,
                entries=tuple(work.seats[row.pk]),
                games=tuple(games),
                walkover=walkover,
            )
        )
    return tables_by_round


def _stage_facts(
    work: Derived,
    stage: Stage,
    members: dict[int, Member],
    tables: Mapping[int, Sequence[StageTable]],
) -> StageFacts:
    """A stage as its ranking reads it."""
    facts = work.facts
    rounds = [
        row for row in facts.rounds if row.stage_id == stage.pk and row.status not in NO_ROUND
    ]
    stage_tables = [table for row in rounds for table in tables.get(row.pk, ())]
    return StageFacts(
        stage=stage,
        groups=tuple(facts.groups_of(stage)),
        members=members,
        rounds=tuple(rounds),
        tables=tuple(sorted(stage_tables, key=lambda table: (table.round_number, table.number))),
        draws=tuple(
            StageDraw(
                round_number=row.number,
                group=draw.group_id,
                public_id=draw.public_id,
                revision=draw.revision,
                by_hand=draw.by_hand,
                reason=draw.reason,
                input_text=draw.input,
                answer=draw.answer,
            )
            for row in rounds
            for draw in facts.draws.get(row.pk, ())
        ),
    )


def _standing(work: Derived, stages: Sequence[StageFacts]) -> None:
    """Note those who take part in the stages, with the points that they carried over, and the final
    ranks."""
    event, stored_rows = work.facts.event, work.stored
    for facts in stages:
        for entry, member in facts.members.items():
            key = (facts.stage.pk, entry)
            carried = member.carried
            if work.unread and key in stored_rows[PARTICIPANT.name]:
                carried = stored_rows[PARTICIPANT.name][key][-1]
            work.wanted[PARTICIPANT.name][key] = (member.group, member.seed, carried)
    if work.unread:
        work.wanted[FINAL_RANK.name] = stored_rows[FINAL_RANK.name]
    elif event.status == Event.Status.FINISHED:
        work.wanted[FINAL_RANK.name] = {
            (event.pk, placed.entry): (placed.place, placed.score)
            for placed in event_places(stages)
        }
