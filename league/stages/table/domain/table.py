"""The tables of a round as pages show them: who sits there in which seat, why, and what came of
it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext

from league.stages.result.domain.end import tells_points
from league.stages.result.domain.result import brings_nothing, counts_points
from league.stages.result.domain.score import score_words
from league.stages.round.domain.reason import Reasons, names_of, numbers_of, reasons, table_reasons
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import Member, PlayedGame, StageDraw, StageFacts, StageTable
from league.stages.stage.models import BY_POINTS, Stage
from league.stages.table.models import Table
from league.standings.ranking.models import Scoring
from league.standings.season.models import Notes, Season


class Finish(NamedTuple):
    """The way in which somebody finished a game: the rank, and where they are told the points.
    `words`: the points as they were played, also where an arbiter has set another order. `penalty`:
    the points of the stage that an arbiter takes off."""

    rank: int
    member: Member
    points: int | None
    words: str
    penalty: int


class GameAtTable(NamedTuple):
    """A game of a table: its number there, its public id, and how everybody finished; nothing until
    it is over. `provisional`: a seat objects to its result. `order_set`: an arbiter has set the
    order in which they stand."""

    number: int
    game: str
    finishes: tuple[Finish, ...]
    provisional: bool
    order_set: bool


class GivenTable(NamedTuple):
    """A table that was given without play: to whom (nobody, if all had left), and why."""

    present: tuple[Member, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table of a round. `members` are in seat order: the first opens. `why` has a sentence for
    each criterion, and `why_not`, where it was asked for, one for each that speaks against an
    exchange. `lacks_points`: a game there is over, and brings nobody anything so far, as the stage
    counts points and it tells places alone."""

    table: StageTable
    members: tuple[Member, ...]
    why: tuple[str, ...]
    games: tuple[GameAtTable, ...]
    why_not: tuple[str, ...]
    lacks_points: bool = False

    @property
    def walkover(self) -> GivenTable | None:
        """For whom the table was given without play, and why; None where it is played."""
        if self.table.walkover is None:
            return None
        present = tuple(member for member in self.members if member.entry in self.table.present)
        return GivenTable(present, self.table.walkover.reason)


class SittingOut(NamedTuple):
    """Somebody who sits out in a round, and why."""

    member: Member
    why: str


class RoundOfGroup(NamedTuple):
    """The tables of a group in a round, with the draw that they come from, and who sits out."""

    group: str
    draw: StageDraw | None
    tables: tuple[SeatedTable, ...]
    byes: tuple[SittingOut, ...]


def round_tables(facts: StageFacts, stage_round: StageRound) -> list[RoundOfGroup]:
    """A round of a stage, group by group."""
    names, numbers = names_of(facts), numbers_of(facts)
    members = {member.entry_id: member for member in facts.members.values()}
    groups = []
    for group in facts.groups:
        tables = [
            table
            for table in facts.group_tables(group.pk)
            if table.round_number == stage_round.number
        ]
        draw = draw_of(facts, stage_round.number, group.pk)
        seats = [facts.ids(table) for table in tables]
        bye = tuple(json.loads(draw.answer).get("bye", ())) if draw else ()
        why = (
            reasons(draw.input_text, draw.answer, seats, names, numbers, bye, by_hand=draw.by_hand)
            if draw
            else Reasons([[] for _ in tables], [])
        )
        rows = tuple(
            seated(facts, table, lines) for table, lines in zip(tables, why.tables, strict=True)
        )
        out = tuple(
            SittingOut(members[entry_id], words)
            for entry_id, words in zip(bye, why.byes, strict=False)
        )
        groups.append(RoundOfGroup(group.name, draw, rows, out))
    return groups


def round_byes(facts: StageFacts, number: int) -> list[Member]:
    """Tell who sits out in a round, group by group; nobody in a knock-out, where a bye is a
    walkover."""
    if facts.stage.knock_out:
        return []
    members = {member.entry_id: member for member in facts.members.values()}
    return [
        members[entry_id]
        for group in facts.groups
        for round_number, entry_id in facts.byes(group.pk)
        if round_number == number
    ]


def draw_of(facts: StageFacts, number: int, group: int) -> StageDraw | None:
    """The newest draw of a group's round; None at a ladder, where people challenge each other."""
    return next(
        (draw for draw in facts.draws if (draw.round_number, draw.group) == (number, group)), None
    )


def seated_with_reasons(facts: StageFacts, table: StageTable) -> SeatedTable:
    """A table with its people and its games, why it is what it is, and, unless it was changed by
    hand, why not otherwise."""
    draw = draw_of(facts, table.round_number, table.group)
    if draw is None:
        return seated(facts, table, [])
    rows = [
        row for row in facts.group_tables(table.group) if row.round_number == table.round_number
    ]
    seats, bye = [facts.ids(row) for row in rows], tuple(json.loads(draw.answer).get("bye", ()))
    names, numbers = names_of(facts), numbers_of(facts)
    number, by_hand = rows.index(table), draw.by_hand
    words = table_reasons(
        draw.input_text, draw.answer, seats, number, names, numbers, bye, by_hand=by_hand
    )
    return seated(facts, table, words.why, words.why_not)


def points_asked(table: Table) -> bool:
    """True if the form of a result asks for points: the club writes them down, or the stage or the
    season counts them, and the season's rules let them be told."""
    stage = table.stage_round.stage
    return tells_points(stage.event.season) and (
        stage.scoring in BY_POINTS or season_points_asked(stage.event.season)
    )


def season_points_asked(season: Season) -> bool:
    """True if the form of a game of a season asks for points, whatever table it comes from."""
    return tells_points(season) and (
        season.notes == Notes.POINTS or season.ranking.scoring != Scoring.PLACEMENT
    )


def uncounted_words(
    season: Season, points: Mapping[str, int] | None, stage: Stage | None = None
) -> list[str]:
    """Sentences on where a game doesn't count without its points, and what to do."""
    sentences = []
    if points is None and stage is not None and counts_points(stage):
        sentences.append(
            gettext(
                "This stage counts dice scores or totals: without points the table is finished, "
                "but "
                "doesn’t count. Add them now, or later by correcting the game; or let the stage "
                "count places instead."
            )
        )
    if points is None and season.ranking.scoring != Scoring.PLACEMENT:
        sentences.append(
            gettext(
                "The season’s table counts points: without them it leaves this game out until a "
                "correction adds them. "
                "The places count wherever places do."
            )
        )
    return sentences


def seated(
    facts: StageFacts, table: StageTable, why: list[str], why_not: Sequence[str] = ()
) -> SeatedTable:
    """A table with its people and its games."""
    members = tuple(facts.members[entry] for entry in table.entries)
    games = tuple(_game(facts, game) for game in table.games)
    return SeatedTable(
        table, members, tuple(why), games, tuple(why_not), brings_nothing(facts.stage, table)
    )


def _game(facts: StageFacts, game: PlayedGame) -> GameAtTable:
    nothing = (None,) * len(game.entries)
    points = game.points or nothing
    played = (game.as_played.points if game.as_played else game.points) or nothing
    kind = facts.stage.event.season.kind
    penalties = game.penalties or (0,) * len(game.entries)
    rows = zip(game.ranks or (), game.entries, points, played, penalties, strict=False)
    finishes = [
        Finish(
            rank, facts.members[entry], points_of_seat, score_words(kind, points_played), penalty
        )
        for rank, entry, points_of_seat, points_played, penalty in rows
    ]
    in_order = tuple(sorted(finishes, key=lambda finish: finish.rank))
    return GameAtTable(
        game.number, game.game, in_order, game.provisional, game.as_played is not None
    )
