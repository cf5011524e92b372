"""The tables of a round as pages show them: players in seat order, reasons, and results."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext

from league.stages.result.domain.end import season_has_points
from league.stages.result.domain.result import counts_points, lacks_counted_points
from league.stages.result.domain.score import score_words
from league.stages.round.domain.reason import Reasons, names_of, numbers_of, reasons, table_reasons
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import Member, PlayedGame, StageDraw, StageFacts, StageTable
from league.stages.stage.models import BY_POINTS, Stage
from league.stages.table.models import Table
from league.standings.ranking.models import Scoring
from league.standings.season.models import Notes, Season


class Finish(NamedTuple):
    """How a player finished a game: the rank, and the points if there are any. `words`: the points
    as they were played, even if an arbiter has set another order. `penalty`: the stage points that
    an arbiter takes off."""

    rank: int
    member: Member
    points: int | None
    words: str
    penalty: int


class GameAtTable(NamedTuple):
    """A game of a table: its number there, its public id, and how everybody finished; empty until
    it is over. `provisional`: its result is disputed. `order_set`: an arbiter has set the order of
    the finishes."""

    number: int
    game: str
    finishes: tuple[Finish, ...]
    provisional: bool
    order_set: bool


class GivenTable(NamedTuple):
    """A table given without play: the players to whom it was given (empty if all had left), and the
    reason."""

    present: tuple[Member, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table of a round with its `members` in seat order: the first one opens. `why` has a
    sentence for each criterion of the draw, and `why_not`, if it was asked for, one for each that
    speaks against an exchange. `lacks_points`: a finished game lacks the points that the stage
    counts."""

    table: StageTable
    members: tuple[Member, ...]
    why: tuple[str, ...]
    games: tuple[GameAtTable, ...]
    why_not: tuple[str, ...]
    lacks_points: bool = False

    @property
    def walkover(self) -> GivenTable | None:
        """Return to whom the table was given without play, and why; None if it is played."""
        if self.table.walkover is None:
            return None
        present = tuple(member for member in self.members if member.entry in self.table.present)
        return GivenTable(present, self.table.walkover.reason)


class SittingOut(NamedTuple):
    """A player who sits out in a round, and the reason in words."""

    member: Member
    why: str


class RoundOfGroup(NamedTuple):
    """The tables of a group in a round, their draw, and the players who sit out."""

    group: str
    draw: StageDraw | None
    tables: tuple[SeatedTable, ...]
    byes: tuple[SittingOut, ...]


def round_tables(facts: StageFacts, stage_round: StageRound) -> list[RoundOfGroup]:
    """Return the tables of a round, group by group."""
    names = names_of(facts)
    numbers = numbers_of(facts)
    members = {member.entry_id: member for member in facts.members.values()}
    groups = []
    for group in facts.groups:
        tables = [
            table
            for table in facts.group_tables(group.pk)
            if table.round_number == stage_round.number
        ]
        draw = draw_of(facts, stage_round.number, group.pk)
        bye_ids = _byes_of(draw)
        draw_reasons = Reasons([[] for _ in tables], [])
        if draw:
            seats = [facts.ids(table) for table in tables]
            draw_reasons = reasons(
                draw.input_text, draw.answer, seats, names, numbers, bye_ids, by_hand=draw.by_hand
            )
        seated_tables = tuple(
            seated_table(facts, table, lines)
            for table, lines in zip(tables, draw_reasons.tables, strict=True)
        )
        sitting_out = tuple(
            SittingOut(members[entry_id], words)
            for entry_id, words in zip(bye_ids, draw_reasons.byes, strict=False)
        )
        groups.append(RoundOfGroup(group.name, draw, seated_tables, sitting_out))
    return groups


def _byes_of(draw: StageDraw | None) -> tuple[str, ...]:
    return tuple(json.loads(draw.answer).get("bye", ())) if draw else ()


def round_byes(facts: StageFacts, number: int) -> list[Member]:
    """Return the players who sit out in a round, group by group; none in a knock-out, where a bye
    is a walkover."""
    if facts.stage.knock_out:
        return []
    members = {member.entry_id: member for member in facts.members.values()}
    sitting_out = []
    for group in facts.groups:
        for round_number, entry_id in facts.byes(group.pk):
            if round_number == number:
                sitting_out.append(members[entry_id])
    return sitting_out


def draw_of(facts: StageFacts, number: int, group: int) -> StageDraw | None:
    """Return the newest draw of a group's round; None in a stage without draws."""
    for draw in facts.draws:
        if draw.round_number == number and draw.group == group:
            return draw
    return None


def seated_with_reasons(facts: StageFacts, table: StageTable) -> SeatedTable:
    """Return a table with its players, its games, the reasons of its draw and, unless the draw was
    changed by hand, the reasons against exchanging its players."""
    draw = draw_of(facts, table.round_number, table.group)
    if draw is None:
        return seated_table(facts, table, draw_reasons=[])
    rows = [
        row for row in facts.group_tables(table.group) if row.round_number == table.round_number
    ]
    draw_reasons = table_reasons(
        draw.input_text,
        draw.answer,
        tables=[facts.ids(row) for row in rows],
        table_index=rows.index(table),
        names=names_of(facts),
        numbers=numbers_of(facts),
        bye_ids=_byes_of(draw),
        by_hand=draw.by_hand,
    )
    return seated_table(facts, table, draw_reasons.why, draw_reasons.why_not)


def points_asked(table: Table) -> bool:
    """Return True if the form of a table's result asks for points: the rules of the season have
    points, and the stage or the season counts them or the club notes them."""
    stage = table.stage_round.stage
    season = stage.event.season
    if stage.scoring in BY_POINTS:
        return season_has_points(season)
    return season_points_asked(season)


def season_points_asked(season: Season) -> bool:
    """Return True if the form of a game asks for points in a season, whatever its stage counts."""
    counts_or_notes = season.notes == Notes.POINTS or season.ranking.scoring != Scoring.PLACEMENT
    return season_has_points(season) and counts_or_notes


def uncounted_words(
    season: Season, points: Mapping[str, int] | None, stage: Stage | None = None
) -> list[str]:
    """Return sentences on the stage and the season in which a game without points doesn't count,
    and on what to do; none if the game has points."""
    sentences = []
    if points is None and stage is not None and counts_points(stage):
        sentences.append(
            gettext(
                "This stage counts dice scores or totals: without points the table is finished, "
                "but doesn’t count. Add them now, or later by correcting the game; or let the "
                "stage count places instead."
            )
        )
    if points is None and season.ranking.scoring != Scoring.PLACEMENT:
        sentences.append(
            gettext(
                "The season’s table counts points: without them it leaves this game out until a "
                "correction adds them. The places count wherever places do."
            )
        )
    return sentences


def seated_table(
    facts: StageFacts,
    table: StageTable,
    draw_reasons: list[str],
    reasons_against: Sequence[str] = (),
) -> SeatedTable:
    """Return a table with its players and its games; `draw_reasons` are the sentences on why it was
    drawn like this, `reasons_against` those that speak against exchanging its players."""
    return SeatedTable(
        table=table,
        members=tuple(facts.members[entry] for entry in table.entries),
        why=tuple(draw_reasons),
        games=tuple(_game_at_table(facts, game) for game in table.games),
        why_not=tuple(reasons_against),
        lacks_points=lacks_counted_points(facts.stage, table),
    )


def _game_at_table(facts: StageFacts, game: PlayedGame) -> GameAtTable:
    kind = facts.stage.event.season.kind
    # If an arbiter has set the order by hand, `as_played` is the result before that.
    order_set = game.as_played is not None
    points_played = game.as_played.points if game.as_played else game.points
    finishes = []
    for seat, rank in enumerate(game.ranks or ()):
        points_of_seat = points_played[seat] if points_played else None
        finishes.append(
            Finish(
                rank=rank,
                member=facts.members[game.entries[seat]],
                points=game.points[seat] if game.points else None,
                words=score_words(kind, points_of_seat),
                penalty=game.penalties[seat] if game.penalties else 0,
            )
        )
    finishes.sort(key=lambda finish: finish.rank)
    return GameAtTable(
        number=game.number,
        game=game.game,
        finishes=tuple(finishes),
        provisional=game.provisional,
        order_set=order_set,
    )
