"""The facts of a stage: its members, the tables of its rounds, and their results."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from engine.scoring.points import points_as_ruled
from league.stages.round.models import StageRound
from league.stages.stage.domain.size import LEAST
from league.stages.stage.domain.table_name import table_name, table_where
from league.stages.stage.models import Group, Stage


class Member(NamedTuple):
    """An entry that takes part in a stage. `entry_id` and `player` are public ids.

    `plays`: a draw seats them. `withdrawn`: they have left the stage. `label`: the club or town, if
    any. `provisional`: in an earlier stage they played a game whose result is disputed.
    """

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
    """A voided game of a table: its number there, and its public id."""

    number: int
    game: str


class PlayedEnd(NamedTuple):
    """The ranks and points of a game as it was played, if an arbiter has set another order."""

    ranks: tuple[int, ...]
    points: tuple[int, ...] | None


class PlayedGame(NamedTuple):
    """A game of a table: its number there, its public id, and its results in the order of
    `entries`.

    `ranks` is None until the game is over. `provisional`: its result is disputed. `penalties`: the
    points that each entry loses, None without penalties. `as_played`: its end before an arbiter set
    the order of `ranks` and `points`, None if nobody did.
    """

    number: int
    game: str
    entries: tuple[int, ...]
    ranks: tuple[int, ...] | None
    points: tuple[int, ...] | None
    provisional: bool = False
    penalties: tuple[int, ...] | None = None
    as_played: PlayedEnd | None = None


def in_order(game: PlayedGame, order: tuple[int, ...]) -> PlayedGame:
    """Return a finished game with the ranks, by entry, that an arbiter has set."""
    assert game.ranks is not None
    ruled = game._replace(ranks=order, as_played=PlayedEnd(game.ranks, game.points))
    if game.points is None:
        return ruled
    return ruled._replace(points=points_as_ruled(game.points, game.ranks, order))


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
    """Return a game of a table from the columns of its row. If an arbiter has set an order, the
    ranks and points follow it."""
    played = PlayedGame(
        number=number,
        game=game,
        entries=tuple(entries),
        ranks=_tuple_or_none(ranks),
        points=_tuple_or_none(points),
        provisional=provisional,
        penalties=_tuple_or_none(penalties),
    )
    if order is None:
        return played
    return in_order(played, tuple(order))


def _tuple_or_none(values: Any) -> tuple[int, ...] | None:
    return None if values is None else tuple(values)


class WalkoverAt(NamedTuple):
    """A table given without play: the entries of the players who weren't there, and the reason."""

    absent: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class StageTable:
    """A table of a stage. `sign` is its public number, `entries` are row ids in seat order;
    `walkover` is None if it is played."""

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
        """Return the number of the next game; numbers of voided games aren't used again."""
        numbers = [game.number for game in self.games]
        numbers += [game.number for game in self.voided]
        return 1 + max(numbers, default=0)

    @property
    def provisional(self) -> bool:
        """Return True if the result of a game there is disputed."""
        return any(game.provisional for game in self.games)

    @property
    def name(self) -> str:
        """Return the table's name."""
        return table_name(self.sign)

    @property
    def where(self) -> str:
        """Return where the table stands, in words; empty if its number says enough."""
        return table_where(self.sign, self.place)

    @property
    def present(self) -> tuple[int, ...]:
        """Return the entries for whom the table was given without play; all entries if it is
        played."""
        if self.walkover is None:
            return self.entries
        return tuple(entry for entry in self.entries if entry not in self.walkover.absent)


class StageDraw(NamedTuple):
    """The newest stored draw of a group's round. `first_answer`: the answer before organisers
    changed it by hand; None if they didn't."""

    round_number: int
    group: int
    public_id: str
    revision: int
    by_hand: bool
    reason: str
    input_text: str
    answer: str
    first_answer: str | None

    @property
    def drawn_answer(self) -> str:
        """Return what was drawn, without what organisers changed by hand."""
        return self.first_answer or self.answer


@dataclass(frozen=True, slots=True)
class StageFacts:
    """All facts of a stage. `rounds` are in order, without rounds that were taken back or failed,
    which are in `void`, if they were loaded."""

    stage: Stage
    groups: tuple[Group, ...]
    members: dict[int, Member]
    rounds: tuple[StageRound, ...]
    tables: tuple[StageTable, ...]
    draws: tuple[StageDraw, ...]
    void: tuple[StageRound, ...] = ()

    def group_members(self, group: int) -> list[Member]:
        """Return the members of a group, in the order of their seeding."""
        return sorted(
            (member for member in self.members.values() if member.group == group),
            key=lambda member: member.seed,
        )

    @property
    def groups_left(self) -> tuple[Group, ...]:
        """Return the groups that still have players for a table, so that a player left alone
        doesn't stop the other groups; all groups if none has enough."""
        playing = Counter(member.group for member in self.members.values() if member.plays)
        playable = tuple(group for group in self.groups if playing[group.pk] >= LEAST)
        return playable or self.groups

    def group_tables(self, group: int) -> list[StageTable]:
        """Return the tables of a group, in the order of their rounds and numbers."""
        return [table for table in self.tables if table.group == group]

    def played_tables(self, group: int) -> list[StageTable]:
        """Return the tables of a group that weren't given without play."""
        return [table for table in self.group_tables(group) if table.walkover is None]

    def file_round(self, table: StageTable) -> int:
        """Return the round number of a table in the stage's file, where each free table is a round
        of its own."""
        return table.number if self.stage.format_rules.free else table.round_number

    def ids(self, table: StageTable) -> tuple[str, ...]:
        """Return the public ids of the entries at a table, in seat order."""
        return tuple(self.members[entry].entry_id for entry in table.entries)

    @property
    def provisional_entries(self) -> frozenset[int]:
        """Return the entries that played a game whose result is disputed, in this stage or in an
        earlier one from which they come."""
        provisional = {entry for entry, member in self.members.items() if member.provisional}
        for table in self.tables:
            if table.provisional:
                provisional.update(table.entries)
        return frozenset(provisional)

    def byes(self, group: int) -> list[tuple[int, str]]:
        """Return the byes of a group: the number of the round, and the id of the entry."""
        byes = []
        for draw in self.draws:
            if draw.group == group:
                ids = json.loads(draw.answer).get("bye", ())
                byes += [(draw.round_number, entry_id) for entry_id in ids]
        return byes

    def walkovers(self, group: int) -> list[tuple[int, str]]:
        """Return the players to whom tables were given without play, which counts as a bye: the
        number of the round, and the id of the entry."""
        walkovers = []
        for table in self.group_tables(group):
            if table.walkover:
                ids = [self.members[entry].entry_id for entry in table.present]
                walkovers += [(table.round_number, entry_id) for entry_id in ids]
        return walkovers

    @property
    def last_number(self) -> int:
        """Return the number of the newest round; 0 without one."""
        return self.rounds[-1].number if self.rounds else 0

    @property
    def latest(self) -> StageRound | None:
        """Return the newest round that wasn't taken back, including a failed one."""
        failed = [
            stage_round
            for stage_round in self.void
            if stage_round.status == StageRound.Status.FAILED
        ]
        return max((*self.rounds, *failed), key=lambda stage_round: stage_round.pk, default=None)

    @property
    def open_tables(self) -> list[StageTable]:
        """Return the tables that aren't finished."""
        return [table for table in self.tables if not table.finished]

    @property
    def current(self) -> StageRound | None:
        """Return the round in play: the newest one or, of rounds drawn ahead, the first with an
        open table."""
        waiting = {table.round_number for table in self.open_tables}
        for row in self.rounds:
            if row.ahead and row.number in waiting and row.status in DRAWN:
                return row
        return self.rounds[-1] if self.rounds else None

    @property
    def current_tables(self) -> list[StageTable]:
        """Return the tables of the round in play, in order, after the open tables of earlier
        rounds, whose games were voided. On a ladder, return all open tables."""
        if self.stage.format_rules.ladder or self.current is None:
            return self.open_tables
        number = self.current.number
        tables = [table for table in self.tables if table.round_number <= number]
        return [table for table in tables if table.round_number == number or not table.finished]


DRAWN = (StageRound.Status.PUBLISHED, StageRound.Status.FINISHED)
"""The statuses of public rounds."""
NO_ROUND = (StageRound.Status.TAKEN_BACK, StageRound.Status.FAILED)
"""The statuses of rounds that count for nothing."""


def published_facts(facts: StageFacts) -> StageFacts:
    """Return the facts that everybody may see, without rounds that aren't published."""
    rounds = [stage_round for stage_round in facts.rounds if stage_round.status in DRAWN]
    numbers = {stage_round.number for stage_round in rounds}
    return replace(
        facts,
        rounds=tuple(rounds),
        tables=tuple(table for table in facts.tables if table.round_number in numbers),
        draws=tuple(draw for draw in facts.draws if draw.round_number in numbers),
        void=(),
    )
