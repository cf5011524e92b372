"""The rows derived from an event's facts, as stored and as the facts give them: what a rebuild
writes, and what a verification compares. No cell is taken from another stored one.

- Participants of a stage, with group and seed: from the log entries about its start and about late
  joiners; the points carried over: from the games of earlier stages.
- A table's number, group, label and seats: from the newest draw of its group's round; without a
  draw, from the log entry that set it up. Place and time, until it is finished: from the published
  timetable.
- Scores of a game: from its newest revision's sealed rounds and the seats, unless it is void;
  whether a table is finished: from that, or from a walkover.
- Final ranks: from all of that, once the event is finished."""

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
    """A kind of rows that are derived from facts: its name, model and lookup path to the event, the
    columns that identify a row, and the columns that follow from facts."""

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
    """An entry of the log: its action and payload."""

    action: str
    payload: dict[str, Any]


class EnteredGame(NamedTuple):
    """The newest revision of a game at a table, as its game `number`; it isn't void."""

    table: int
    number: int
    game: int
    game_id: str
    external_id: str


@dataclass(frozen=True, slots=True)
class EventFacts:
    """All facts that an event's rows are derived from.

    `entries` come with their players. `draws` are the newest of each group's round, in the order of
    the groups, by the round's row id. `steps` are the log entries about a stage or a table, by its
    public id, in order. `walkovers` are those that hold, by the table's row id. `places` is the
    published timetable. The rows of tables only say which tables exist; their other columns follow
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
        """Return the groups that a stage is played in."""
        return [
            group
            for group in self.groups
            if group.stage_id == stage.pk and group.number <= stage.groups
        ]


class DrawnTable(NamedTuple):
    """A table as drawn, or as set up by players: the ids of entries in seat order."""

    group: int
    label: str
    ids: Sequence[str]


class UnreadableGame(NamedTuple):
    """A game that can't be counted at its table, and why."""

    game: EnteredGame
    fault: Illegal


@dataclass(slots=True)
class DerivedRows:
    """The derived rows of an event by the name of their kind: as they are `stored`, and as they are
    `expected`, that is, computed from the facts.

    `unreadable`: games that can't be counted; rows that depend on them can't be computed and are
    expected as they are stored. `missing_tables`: how many tables of a round have no row, by the round's row id;
    `unexpected_tables`: the row ids of tables that no draw made. `seats` (the entries in seat
    order) and `played` (the games) are intermediate results, by the tables' row ids.
    """

    facts: EventFacts
    stored: dict[str, KeyedRows]
    expected: dict[str, KeyedRows] = field(
        default_factory=lambda: {cache.name: {} for cache in CACHES}
    )
    unreadable: list[UnreadableGame] = field(default_factory=list)
    missing_tables: dict[int, int] = field(default_factory=dict)
    unexpected_tables: list[int] = field(default_factory=list)
    seats: dict[int, list[int]] = field(default_factory=dict)
    played: dict[int, list[PlayedGame]] = field(default_factory=dict)


def derivation(
    facts: EventFacts,
    stored: dict[str, KeyedRows],
    games: Iterable[tuple[EnteredGame, GameFacts | None]],
) -> DerivedRows:
    """Return the rows of an event derived from its facts, next to its `stored` rows by the name of
    their kind. `games` come with their sealed rounds (None for a game without a season)."""
    derived = DerivedRows(facts, stored)
    members = {stage.pk: _members(facts, stage) for stage in facts.stages}
    numbered_tables = _match_tables(derived)
    _derive_scores(derived, games)
    counts = {stage: len(stage_members) for stage, stage_members in members.items()}
    tables = _derive_tables(derived, numbered_tables, counts)
    stages = [
        _stage_facts(derived, stage, members[stage.pk], tables)
        for stage in facts.stages
        if stage.status != Stage.Status.PLANNED
    ]
    if not derived.unreadable:
        stages = list(with_carried(stages))
    _derive_participants_and_ranks(derived, stages)
    return derived


def _members(facts: EventFacts, stage: Stage) -> dict[int, Member]:
    """Return the participants of a stage by the log: those of its last start, then the late
    joiners."""
    groups = {group.number: group for group in facts.groups if group.stage_id == stage.pk}
    count = len(facts.groups_of(stage))
    entries = {entry.public_id: entry for entry in facts.entries}
    members: dict[int, Member] = {}
    for action, payload in facts.steps.get(stage.public_id, ()):
        # `started` is False if the start was undone.
        if action == StageAction.STARTED or payload.get("started") is False:
            members = {}
        participants = payload.get("participants", ())
        divisions = dict(zip(participants, payload.get("divisions", ()), strict=False))
        for place, entry in enumerate(_existing_entries(entries, participants)):
            number = divisions.get(entry.public_id) or group_at(place, count)
            members[entry.pk] = _member(entry, groups[number], place + 1)
        joined = zip(payload.get("joined", ()), payload.get("groups", ()), strict=True)
        for entry_id, number in joined:
            for entry in _existing_entries(entries, [entry_id]):
                members[entry.pk] = _member(entry, groups[number], len(members) + 1)
    return members


def _existing_entries(entries: Mapping[str, Entry], ids: Iterable[str]) -> list[Entry]:
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


def _match_tables(derived: DerivedRows) -> dict[int, tuple[int, DrawnTable]]:
    """Match the rows of tables with the draws. Return, by the row id, each table's number and its
    `DrawnTable`. Store in `derived` the seats, and which rows are missing or unexpected."""
    facts = derived.facts
    entries = {entry.public_id: entry for entry in facts.entries}
    rows = lists_by_key((row.stage_round_id, row) for row in facts.tables)
    table_numbers: dict[int, tuple[int, DrawnTable]] = {}
    for stage_round in facts.rounds:
        round_rows = rows.get(stage_round.pk, [])
        drawn_tables = _drawn_tables(facts, stage_round)
        pairs = _numbered_rows(round_rows, len(drawn_tables))
        numbers = {row.pk: (number, drawn_tables[number - 1]) for row, number in pairs}
        if not numbers:
            numbers = _set_up_tables(facts, stage_round, round_rows)
        table_numbers.update(numbers)

        for pk, (_, table) in numbers.items():
            derived.seats[pk] = [entry.pk for entry in _existing_entries(entries, table.ids)]
            for seat, entry in enumerate(derived.seats[pk]):
                derived.expected[SEAT.name][pk, seat] = (entry,)
        if len(round_rows) < len(drawn_tables):
            derived.missing_tables[stage_round.pk] = len(drawn_tables) - len(round_rows)
        derived.unexpected_tables += [row.pk for row in round_rows if row.pk not in table_numbers]
    return table_numbers


def _drawn_tables(facts: EventFacts, stage_round: StageRound) -> list[DrawnTable]:
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
    """Return the tables that players set up in a round without draws, each with its number, by row
    id. The log entry about the challenge says who sits there."""
    stage = next(stage for stage in facts.stages if stage.pk == stage_round.stage_id)
    tables = {}
    for row in rows:
        for action, payload in facts.steps.get(row.public_id, ()):
            if action == TableAction.CHALLENGED:
                group = facts.groups_of(stage)[0].pk
                table = DrawnTable(group, "", payload["players"])
                tables[row.pk] = (payload.get("table", 1), table)
    return tables


def _numbered_rows(rows: Sequence[Table], count: int) -> Iterable[tuple[Table, int]]:
    """Number the rows of a round from 1 to `count`. Rows with a number outside of this range get
    the free numbers; rows beyond `count` are left out."""
    rows_by_number = {row.number: row for row in rows}
    rows_without_number = [row for row in rows if not 1 <= row.number <= count]
    free_numbers = [number for number in range(1, count + 1) if number not in rows_by_number]
    numbered = [(row, number) for number, row in rows_by_number.items() if 1 <= number <= count]
    return [*numbered, *zip(rows_without_number, free_numbers, strict=False)]


def _derive_scores(
    derived: DerivedRows, games: Iterable[tuple[EnteredGame, GameFacts | None]]
) -> None:
    """Compute the scores of the games at their tables, and store them in `derived` as the expected
    rows.

    A game that can't be counted is stored as unreadable. Nothing is known then of its table, so all
    stored scores of the table are expected as they are."""
    players = {
        entry.pk: entry.player.merged_into_id or entry.player_id for entry in derived.facts.entries
    }
    expected_scores = derived.expected[SCORE.name]
    for entered_game, game_facts in games:
        entries_by_player = {
            players[entry]: entry for entry in derived.seats.get(entered_game.table, ())
        }
        score: Score | Illegal = Illegal("no_season", say("the game doesn't belong to a season"))
        if game_facts is not None:
            score = score_of(game_facts, entries_by_player)
        if isinstance(score, Illegal):
            derived.unreadable.append(UnreadableGame(entered_game, score))
            continue
        expected_scores[entered_game.table, entered_game.number] = (entered_game.game, *score)
        derived.played.setdefault(entered_game.table, []).append(_played(entered_game, score))

    unreadable_tables = {unreadable.game.table for unreadable in derived.unreadable}
    for key, stored_score in derived.stored[SCORE.name].items():
        table_id, _ = key
        if table_id in unreadable_tables:
            expected_scores[key] = stored_score


def _played(entered_game: EnteredGame, score: Score) -> PlayedGame:
    return played_game(entered_game.number, entered_game.game_id, **score._asdict())


def _derive_tables(
    derived: DerivedRows,
    numbered_tables: Mapping[int, tuple[int, DrawnTable]],
    counts: Mapping[int, int],
) -> dict[int, list[StageTable]]:
    """Store in `derived` the expected rows of tables; return the tables of each round, by its row
    id, as their stage has them. `counts`: the number of participants of each stage."""
    facts = derived.facts
    stages = {stage.pk: stage for stage in facts.stages}
    rounds = {row.pk: row for row in facts.rounds}
    tables_by_round: dict[int, list[StageTable]] = {}
    for row in facts.tables:
        if row.pk not in numbered_tables:
            continue
        number, drawn_table = numbered_tables[row.pk]
        stage_round = rounds[row.stage_round_id]
        stage = stages[stage_round.stage_id]
        table = _stage_table(
            derived, row, number, drawn_table, stage, stage_round, counts[stage.pk]
        )
        derived.expected[TABLE.name][(row.pk,)] = (
            table.number,
            table.group,
            table.label,
            table.place,
            table.starts_at,
            table.finished,
        )
        tables_by_round.setdefault(stage_round.pk, []).append(table)
    return tables_by_round


def _stage_table(
    derived: DerivedRows,
    row: Table,
    number: int,
    drawn: DrawnTable,
    stage: Stage,
    stage_round: StageRound,
    participants: int,
) -> StageTable:
    """Return the table of a row with its games. If one of its games can't be read, the row says
    whether the table is played out."""
    facts = derived.facts
    games = sorted(derived.played.get(row.pk, []), key=lambda game: game.number)
    walkover = facts.walkovers.get(row.pk)
    played_out = row.finished
    is_readable = all(unreadable.game.table != row.pk for unreadable in derived.unreadable)
    if is_readable:
        played_out = is_played_out(stage, drawn.label, games, participants)
    finished = played_out or walkover is not None

    place = row.place
    starts_at = row.starts_at
    if not finished and stage_round.status not in NO_ROUND:
        timed = facts.places.get((stage.pk, stage_round.number, number))
        place, starts_at = place_of(stage, stage_round.number, number, timed)
    return StageTable(
        pk=row.pk,
        public_id=row.public_id,
        round_number=stage_round.number,
        group=drawn.group,
        number=number,
        sign=table_number(stage, stage_round.number, number),
        label=drawn.label,
        place=place,
        starts_at=starts_at,
        finished=finished,
        entries=tuple(derived.seats[row.pk]),
        games=tuple(games),
        walkover=walkover,
    )


def _stage_facts(
    derived: DerivedRows,
    stage: Stage,
    members: dict[int, Member],
    tables: Mapping[int, Sequence[StageTable]],
) -> StageFacts:
    facts = derived.facts
    rounds = [
        row for row in facts.rounds if row.stage_id == stage.pk and row.status not in NO_ROUND
    ]
    stage_tables: list[StageTable] = []
    draws: list[StageDraw] = []
    for row in rounds:
        stage_tables += tables.get(row.pk, ())
        draws += [_stage_draw(row, draw) for draw in facts.draws.get(row.pk, ())]
    return StageFacts(
        stage=stage,
        groups=tuple(facts.groups_of(stage)),
        members=members,
        rounds=tuple(rounds),
        tables=tuple(sorted(stage_tables, key=lambda table: (table.round_number, table.number))),
        draws=tuple(draws),
    )


def _stage_draw(stage_round: StageRound, draw: Draw) -> StageDraw:
    return StageDraw(
        round_number=stage_round.number,
        group=draw.group_id,
        public_id=draw.public_id,
        revision=draw.revision,
        by_hand=draw.by_hand,
        reason=draw.reason,
        input_text=draw.input,
        answer=draw.answer,
        first_answer=None,  # a rebuild takes the tables as they were played
    )


def _derive_participants_and_ranks(derived: DerivedRows, stages: Sequence[StageFacts]) -> None:
    """Store in `derived` the expected participants and final ranks. If games can't be read, keep
    the stored carried points and ranks."""
    event = derived.facts.event
    stored_participants = derived.stored[PARTICIPANT.name]
    for facts in stages:
        for entry, member in facts.members.items():
            key = (facts.stage.pk, entry)
            carried = member.carried
            if derived.unreadable and key in stored_participants:
                _, _, carried = stored_participants[key]
            derived.expected[PARTICIPANT.name][key] = (member.group, member.seed, carried)
    if derived.unreadable:
        derived.expected[FINAL_RANK.name] = derived.stored[FINAL_RANK.name]
    elif event.status == Event.Status.FINISHED:
        derived.expected[FINAL_RANK.name] = {
            (event.pk, placed.entry): (placed.place, placed.score)
            for placed in event_places(stages)
        }
