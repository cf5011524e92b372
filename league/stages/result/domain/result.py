"""The results of a stage's tables, as the engine ranks them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from django.utils.translation import ngettext

from engine.scoring.stage.ranking import StageRow, stage_ranking
from engine.scoring.stage.results import (
    PARTS,
    GameResult,
    RoundBye,
    StageParticipant,
    StageResults,
    TableResult,
)
from engine.scoring.stage.rules import StageRules, StageScoring, StageTieBreak
from league.stages.result.domain.score import has_played
from league.stages.stage.domain.facts import Member, PlayedEnd, PlayedGame, StageFacts, StageTable
from league.stages.stage.models import BY_POINTS, Stage


def stage_rules(stage: Stage) -> StageRules:
    """Return the rules by which the engine ranks a stage."""
    return StageRules(
        scoring=StageScoring(stage.scoring),
        size=stage.sizes[0],
        tie_breaks=tuple(StageTieBreak(name) for name in stage.tie_breaks),
        seed=stage.seed,
        games=stage.games,
        free=stage.format_rules.free,
        label_best=stage.label_best,
        adjusted=stage.adjusted,
    )


def group_results(facts: StageFacts, group: int) -> StageResults:
    """Return the results from which a group's ranking is computed; players are named by the public
    ids of their entries."""
    byes = [*facts.byes(group), *facts.walkovers(group)]
    return StageResults(
        rules=stage_rules(facts.stage),
        participants=tuple(_participant(member) for member in facts.group_members(group)),
        tables=tuple(table_result(facts, table) for table in facts.played_tables(group)),
        byes=tuple(RoundBye(number, entry_id) for number, entry_id in byes),
    )


def _participant(member: Member) -> StageParticipant:
    return StageParticipant(
        player_id=member.entry_id,
        name=member.name,
        seeding=member.seed,
        carried=Fraction(member.carried, PARTS),
        withdrawn=member.withdrawn,
        label=member.label,
    )


def group_ranking(facts: StageFacts, group: int) -> tuple[StageRow, ...]:
    """Return the ranking of a group, best first, computed from the tables' results."""
    return stage_ranking(group_results(facts, group))


def regular_games(stage: Stage, games: Sequence[PlayedGame]) -> list[PlayedGame]:
    """Return the finished games of a table that the stage counts, without the games played
    afterwards to separate players who share a place."""
    over = [game for game in games if game.ranks is not None]
    if not stage.knock_out:
        return over
    for number in range(1, len(over)):
        if has_played(stage, [game.ranks for game in over[:number]]):
            return over[:number]
    return over


def counts_points(stage: Stage) -> bool:
    """Return True if a stage ranks by dice scores or totals, so that games without points bring
    nothing."""
    return stage.scoring in BY_POINTS and not stage.by_place


def without_points(facts: StageFacts) -> list[StageTable]:
    """Return the tables with a finished game that lacks the points that the stage counts."""
    return [table for table in facts.tables if lacks_counted_points(facts.stage, table)]


def lacks_counted_points(stage: Stage, table: StageTable) -> bool:
    """Return True if a table has a game without points, and the stage counts points."""
    return counts_points(stage) and any(map(lacks_points, table.games))


def lacks_points(game: PlayedGame) -> bool:
    """Return True if a game is over and only its places are known."""
    return game.ranks is not None and game.points is None


class MissingPoints(NamedTuple):
    """A stage that counts points, the number of its tables that lack them, and the public id of the
    first such game."""

    stage: Stage
    tables: int
    game: str

    @property
    def words(self) -> str:
        """Return a sentence on the tables, and on what the missing points mean."""
        words = ngettext(
            "%(count)d table of “%(stage)s” is over but doesn’t count yet: the stage counts "
            "points, and only places were entered. Until the points are known, a win there earns "
            "nothing, while a bye does.",
            "%(count)d tables of “%(stage)s” are over but don’t count yet: the stage counts "
            "points, and only places were entered. Until the points are known, a win there earns "
            "nothing, while a bye does.",
            self.tables,
        )
        return words % {"count": self.tables, "stage": self.stage.name}


def table_result(facts: StageFacts, table: StageTable) -> TableResult:
    """Return the finished games of a table as the engine scores them, with the players in seat
    order."""
    over = regular_games(facts.stage, table.games)
    played = {entry for game in over for entry in game.entries}
    seats = [entry for entry in table.entries if not over or entry in played]
    return TableResult(
        facts.file_round(table),
        tuple(facts.members[entry].entry_id for entry in seats),
        tuple(game_result(facts.stage, game, seats) for game in over),
    )


def game_result(stage: Stage, game: PlayedGame, seats: Sequence[int]) -> GameResult:
    """Return a finished game as the engine scores it, in the order of the entries `seats`: with the
    adjustments of arbiters, and with its points if the stage counts them."""

    def by_seat(figures: Sequence[int]) -> tuple[int, ...]:
        by_entry = dict(zip(game.entries, figures, strict=True))
        return tuple(by_entry[entry] for entry in seats)

    ranks = game.ranks or ()
    played = game.as_played or PlayedEnd(ranks, game.points)
    result = GameResult(
        by_seat(played.ranks),
        order=by_seat(ranks) if game.as_played else None,
        penalty=by_seat(game.penalties) if game.penalties else None,
    )
    if stage.scoring not in BY_POINTS or played.points is None:
        return result
    return replace(result, **{stage.scoring: by_seat(played.points)})
