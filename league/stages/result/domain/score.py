"""The ranks and points that a sealed game gives the entries at its table, and when a table has
played all its games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext, ngettext

from engine.illegal import Illegal
from engine.messages import say
from engine.record.kind import Ending
from engine.record.stored import replay_stored
from engine.scoring.stage.results import GameResult
from engine.scoring.stage.rules import StageScoring
from engine.scoring.stage.table_points import best_of_over
from games.models.game import Kind
from league.stages.stage.models import Stage
from league.standings.adjustment.domain import NO_ADJUSTMENTS, Adjustments
from league.standings.ranked_game.domain.game import GameFacts


class Score(NamedTuple):
    """The ranks, points and adjustments of a game, as a `TableScore` stores them: one of each per
    entry, in the game's order of seats."""

    entries: list[int]
    ranks: list[int] | None
    points: list[int] | None
    order: list[int] | None = None
    penalties: list[int] | None = None


def score_of(game: GameFacts, entries_by_player: Mapping[int, int]) -> Score | Illegal:
    """Return the score of the entries at a table in a game, replayed from its sealed rounds;
    `entries_by_player` maps the ids of the table's players to their entries.

    Return a fault if a player doesn't sit there (`wrong_table`) or the rounds can't be replayed.
    """
    entries = entries_of(game.players, entries_by_player)
    if isinstance(entries, Illegal):
        return entries
    verdict = replay_stored(game.header, game.handles, game.bodies)
    return verdict.error or ending_score(entries, verdict.ending, game.adjustments)


def ending_score(
    entries: Sequence[int], ending: Ending, adjustments: Adjustments = NO_ADJUSTMENTS
) -> Score:
    """Return the score that the ending of a game gives these entries, which are in the game's order
    of seats."""
    if ending.rank is None:
        return Score(list(entries), None, None)
    points = points_of(ending)
    return Score(
        list(entries),
        list(ending.rank),
        None if points is None else list(points),
        None if adjustments.order is None else list(adjustments.order),
        list(adjustments.penalties) or None,
    )


def entries_of(
    players: Sequence[int | None], entries_by_player: Mapping[int, int]
) -> list[int] | Illegal:
    """Return the entries of players at a table, in the players' order, or the fault
    `wrong_table`."""
    entries = []
    for player in players:
        if player is None or player not in entries_by_player:
            return Illegal(
                "wrong_table", say("somebody in this game isn't seated at this table"), path="seats"
            )
        entries.append(entries_by_player[player])
    return entries


def points_of(ending: Ending) -> tuple[int, ...] | None:
    """Return the points of an ending that a stage counts: the dice score, or the totals of the
    sheets."""
    if ending.cntdice is not None:
        return ending.cntdice
    return ending.totals


def score_words(kind: str, points: int | None) -> str:
    """Return a game's points in words, as dice or points on the sheet, so that nobody takes them
    for points of a stage or a season; empty if unknown."""
    if points is None:
        return ""
    if kind == Kind.BLUFF:
        return ngettext("%(count)d die", "%(count)d dice", points) % {"count": points}
    return gettext("%(count)d on the sheet") % {"count": points}


def has_played(stage: Stage, ranks: Sequence[Sequence[int] | None]) -> bool:
    """Return True if a table has played all games of its stage, given the ranks of each game (None
    for one that isn't over)."""
    finished_games = [GameResult(tuple(rank)) for rank in ranks if rank is not None]
    if len(finished_games) == stage.games:
        return True
    if stage.scoring != StageScoring.BEST_OF:
        return False
    seat_counts = {len(game.rank) for game in finished_games}
    return len(seat_counts) == 1 and best_of_over(finished_games, stage.games)
