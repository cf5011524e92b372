"""All that a sealed game brought those at its table, and when a table has played the games of its
stage."""

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
    """All that a game brought, as a `TableScore` has it: by entry, in the game's order of seats."""

    entries: list[int]
    ranks: list[int] | None
    points: list[int] | None
    order: list[int] | None = None
    penalties: list[int] | None = None


def score_of(game: GameFacts, entries_by_player: Mapping[int, int]) -> Score | Illegal:
    """Return what a game brought a table at which these entries sit (by player), replayed from its
    sealed rounds.

    A fault: `wrong_table` (somebody in it doesn't sit there), or that of rounds which can't be
    replayed."""
    entries = entries_of(game.players, entries_by_player)
    if isinstance(entries, Illegal):
        return entries
    verdict = replay_stored(game.header, game.handles, game.bodies)
    return verdict.error or ending_score(entries, verdict.ending, game.adjustments)


def ending_score(
    entries: Sequence[int], ending: Ending, adjustments: Adjustments = NO_ADJUSTMENTS
) -> Score:
    """Return what the ending of a game brought these entries, in the game's order of seats."""
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
    """The entries of players among those who sit at a table, in the players' order;
    `wrong_table`."""
    entries = [None if player is None else entries_by_player.get(player) for player in players]
    if None in entries:
        return Illegal(
            "wrong_table", say("somebody of this game doesn't sit at this table"), path="seats"
        )
    return [entry for entry in entries if entry is not None]


def points_of(ending: Ending) -> tuple[int, ...] | None:
    """Return what a stage counts of an ending: the dice score, or the sheets' totals."""
    return ending.cntdice if ending.cntdice is not None else ending.totals


def score_words(kind: str, points: int | None) -> str:
    """Say what a game counted at its table, so that nobody takes it for points of a stage or a
    season: dice, or what the sheet says; nothing where it isn't known."""
    if points is None:
        return ""
    if kind == Kind.BLUFF:
        return ngettext("%(count)d die", "%(count)d dice", points) % {"count": points}
    return gettext("%(count)d on the sheet") % {"count": points}


def has_played(stage: Stage, ranks: Sequence[Sequence[int] | None]) -> bool:
    """True if a table at which games ended so, or (None) go on, has played the games that its stage
    asks for."""
    over = [GameResult(tuple(rank)) for rank in ranks if rank is not None]
    return len(over) == stage.games or (
        stage.scoring == StageScoring.BEST_OF
        and len({len(game.rank) for game in over}) == 1
        and best_of_over(over, stage.games)
    )
