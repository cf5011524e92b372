"""All of a stage: who takes part, the tables of its rounds, what came of them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from engine.scoring.points import points_as_ruled
from league.stages.round.models import StageRound
from league.stages.stage.domain.size import LEAST
from league.stages.stage.domain.table_name import table_name, table_where
from league.stages.stage.models import Group, Stage


class Member(NamedTuple):
    """Somebody who takes part in a stage. `entry_id` is the entry's public id, `player` that of the
    player.

    `plays`: a draw seats them. `withdrawn`: they don't come any more. `label`: the club or town,
    empty for none. `provisional`: they come from an earlier stage, where they sat at a game whose
    result is disputed."""

    entry: int
    entry_id: str
    player: str
    handle: str
    name: str
    group: int
    seed: int
    carried: int
    plays: bool
    withdrawn: bool
    guest: bool
    label: str = ""
    provisional: bool = False


class VoidedGame(NamedTuple):
    """A game of a table that is void: its number there, and its public id."""

    number: int
    game: str


class PlayedEnd(NamedTuple):
    """The ranks and points of a game as it was played, where an arbiter has set another order."""

    ranks: tuple[int, ...]
    points: tuple[int, ...] | None


class PlayedGame(NamedTuple):
    """A game of a table: its number there, its public id, and by entry in the order of `entries`
    what it brought.

    `ranks` is None until it is over. `provisional`: a seat objects to its result. `penalties`: the
    points that each loses, None where nobody does. `as_played`: its end before an arbiter set the
    order that `ranks` and `points` tell; None where nobody did."""

    number: int
    game: str
    entries: tuple[int, ...]
    ranks: tuple[int, ...] | None
    points: tuple[int, ...] | None
    provisional: bool = False
    penalties: tuple[int, ...] | None = None
    as_played: PlayedEnd | None = None


def in_order(game: PlayedGame, order: tuple[int, ...]) -> PlayedGame:
    """A game that is over as it counts once an arbiter has set these ranks, by entry."""
    assert game.ranks is not None
    points = None if game.points is None else points_as_ruled(game.points, game.ranks, order)
    return game._replace(ranks=order, points=points, as_played=PlayedEnd(game.ranks, game.points))


def played_game(
    number: int,
    game: str,
    entries: list[int],
    ranks: Any,
    points: Any,
    order: Any = None,
    penalties: Any = None,
    provisional: bool = False,
) -> PlayedGame:
    """A game of a table as its columns tell it, in the order that an arbiter has set if there is
    one."""
    played = PlayedGame(
        number,
        game,
        tuple(entries),
        None if ranks is None else tuple(ranks),
        None if points is None else tuple(points),
        provisional,
        None if penalties is None else tuple(penalties),
    )
    return played if order is None else in_order(played, tuple(order))


class WalkoverAt(NamedTuple):
    """That a table was given without play: the entries of those who weren't there, and why."""

    absent: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class StageTable:
    """A table of a stage. `sign` is the number by which everybody calls it. `entries` are in seat
    order, by their row ids. `walkover`: None where it is played."""

    pk: int
    public_id: str
    round_number: int
    group: int
    number: int
    sign: int
    label: str
    place: str
    starts_at: datetime | None
    finished: bool
    entries: tuple[int, ...]
    games: tuple[PlayedGame, ...]
    walkover: WalkoverAt | None
    voided: tuple[VoidedGame, ...] = ()

    @property
    def next_number(self) -> int:
        """The number of the next game: that of a voided one is given to no other."""
        return 1 + max(
            [*(game.number for game in self.games), *(game.number for game in self.voided)],
            default=0,
        )

    @property
    def provisional(self) -> bool:
        """True if a seat objects to the result of a game there."""
        return any(game.provisional for game in self.games)

    @property
    def name(self) -> str:
        """What everybody calls it."""
        return table_name(self.sign)

    @property
    def where(self) -> str:
        """Where it stands, in words; empty where its number says it all."""
        return table_where(self.sign, self.place)

    @property
    def present(self) -> tuple[int, ...]:
        """The entries of those for whom a table was given without play; everybody at one that is
        played."""
        absent = self.walkover.absent if self.walkover else ()
        return tuple(entry for entry in self.entries if entry not in absent)


class StageDraw(NamedTuple):
    """The newest draw of a group's round, as it is stored."""

    round_number: int
    group: int
    public_id: str
    revision: int
    by_hand: bool
    reason: str
    input_text: str
    answer: str


@dataclass(frozen=True, slots=True)
class StageFacts:
    """All of a stage. `rounds` are those that weren't taken back and could be drawn, in order;
    `void` the others, where they are of interest."""

    stage: Stage
    groups: tuple[Group, ...]
    members: dict[int, Member]
    rounds: tuple[StageRound, ...]
    tables: tuple[StageTable, ...]
    draws: tuple[StageDraw, ...]
    void: tuple[StageRound, ...] = ()

    def group_members(self, group: int) -> list[Member]:
        """Those of a group, in the order of their seeding."""
        return sorted(
            (member for member in self.members.values() if member.group == group),
            key=lambda member_row: member_row.seed,
        )

    @property
    def groups_left(self) -> tuple[Group, ...]:
        """The groups in which enough still play for a table, so that one that is left alone stops
        no other; all of them where none has so many."""
        playing = Counter(member.group for member in self.members.values() if member.plays)
        return tuple(group for group in self.groups if playing[group.pk] >= LEAST) or self.groups

    def group_tables(self, group: int) -> list[StageTable]:
        """The tables of a group, in the order of their rounds and numbers."""
        return [table for table in self.tables if table.group == group]

    def played_tables(self, group: int) -> list[StageTable]:
        """Those of them that weren't given without play."""
        return [table for table in self.group_tables(group) if table.walkover is None]

    def file_round(self, table: StageTable) -> int:
        """The number of the round that a table is of in the stage's file; each free table is one of
        its own."""
        return table.number if self.stage.format_rules.free else table.round_number

    def ids(self, table: StageTable) -> tuple[str, ...]:
        """The ids of those at a table, in seat order."""
        return tuple(self.members[entry].entry_id for entry in table.entries)

    @property
    def provisional_entries(self) -> frozenset[int]:
        """The entries that sat at a game whose result is disputed, here or in an earlier stage from
        which they come."""
        came = {entry for entry, member in self.members.items() if member.provisional}
        return frozenset(came.union(*(table.entries for table in self.tables if table.provisional)))

    def byes(self, group: int) -> list[tuple[int, str]]:
        """Tell who sat out, by the id of the entry, with the round."""
        return [
            (draw.round_number, entry_id)
            for draw in self.draws
            if draw.group == group
            for entry_id in json.loads(draw.answer).get("bye", ())
        ]

    def walkovers(self, group: int) -> list[tuple[int, str]]:
        """For whom a table was given without play, by the id of the entry, with the round: it
        counts as a bye."""
        return [
            (table.round_number, self.members[entry].entry_id)
            for table in self.group_tables(group)
            if table.walkover
            for entry in table.present
        ]

    @property
    def last_number(self) -> int:
        """The number of the newest round; 0 without one."""
        return self.rounds[-1].number if self.rounds else 0

    @property
    def latest(self) -> StageRound | None:
        """The newest round that wasn't taken back, also one that could not be drawn."""
        failed = [
            stage_round
            for stage_round in self.void
            if stage_round.status == StageRound.Status.FAILED
        ]
        return max((*self.rounds, *failed), key=lambda stage_round: stage_round.pk, default=None)

    @property
    def open_tables(self) -> list[StageTable]:
        """The tables that aren't finished."""
        return [table for table in self.tables if not table.finished]

    @property
    def current(self) -> StageRound | None:
        """The round that is played: the newest, or of several that were drawn at once the first
        with an open table."""
        waiting = {table.round_number for table in self.open_tables}
        ahead = (
            row
            for row in self.rounds
            if row.ahead and row.number in waiting and row.status in DRAWN
        )
        return next(ahead, self.rounds[-1] if self.rounds else None)

    @property
    def current_tables(self) -> list[StageTable]:
        """The tables of the round that is played, and earlier ones whose game is void since, in
        their order; of a ladder all that are open."""
        if self.stage.format_rules.ladder or self.current is None:
            return self.open_tables
        current = self.current.number
        return [
            table
            for table in self.tables
            if table.round_number == current
            or (table.round_number < current and not table.finished)
        ]


DRAWN = (StageRound.Status.PUBLISHED, StageRound.Status.FINISHED)
"""The rounds that everybody may see who sees the event."""
NO_ROUND = (StageRound.Status.TAKEN_BACK, StageRound.Status.FAILED)
"""The rounds that count for nothing."""


def published(facts: StageFacts) -> StageFacts:
    """The stage as everybody may see it: without rounds that aren't published yet."""
    numbers = {stage_round.number for stage_round in facts.rounds if stage_round.status in DRAWN}
    return StageFacts(
        stage=facts.stage,
        groups=facts.groups,
        members=facts.members,
        rounds=tuple(stage_round for stage_round in facts.rounds if stage_round.number in numbers),
        tables=tuple(table for table in facts.tables if table.round_number in numbers),
        draws=tuple(draw for draw in facts.draws if draw.round_number in numbers),
    )
