"""The outcome of a game, replayed from its sealed rounds by the engine; it is never stored as a
fact."""

from __future__ import annotations

from dataclasses import dataclass

from engine.record.stored import replay_stored
from engine.scoring.points import Scoring, game_points
from league.standings.ranked_game.domain.game import GameFacts


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """How a game of a ranking ended, in seat order, by the order that an arbiter set if there is
    one. `rank` and `points` are None for each seat until the game is over. `penalties`: the points
    that each seat loses; `points` still include them."""

    over: bool
    rank: tuple[int | None, ...]
    points: tuple[int | None, ...]
    penalties: tuple[int, ...]

    @property
    def by_seat(self) -> tuple[tuple[int | None, ...], tuple[int | None, ...], tuple[int, ...]]:
        """Return ranks, points and penalties, each in seat order."""
        return self.rank, self.points, self.penalties


class Unreadable(Exception):
    """The engine can't replay a game's sealed rounds: somebody has changed them."""


def game_outcome(facts: GameFacts, scoring: Scoring) -> GameOutcome:
    """Return the outcome of a game by a ranking's scoring. It isn't over if it is void, or if only
    its end is known and not its points by that scoring. Raise `Unreadable`.

    Rulings B12, B13, K13: finishing order, points by cntdice, and the highest total wins."""
    if None in facts.players:
        raise Unreadable(f"{facts.external_id}: a handle finds no player")
    no_figures = (None,) * len(facts.handles)
    no_penalties = (0,) * len(facts.handles)
    unfinished = GameOutcome(over=False, rank=no_figures, points=no_figures, penalties=no_penalties)
    if facts.voided:
        return unfinished
    verdict = replay_stored(facts.header, facts.handles, facts.bodies)
    if verdict.error is not None:
        raise Unreadable(f"{facts.external_id}: {verdict.error.message}")
    if not verdict.over:
        return unfinished
    points = game_points(scoring, verdict.ending)
    if points is None and facts.only_end:
        return unfinished
    if verdict.rank is None or points is None:
        raise Unreadable(f"{facts.external_id} has no points by {scoring}")
    adjusted = facts.adjustments
    return GameOutcome(
        over=True,
        rank=adjusted.ranks(verdict.rank),
        points=adjusted.points(scoring, verdict.rank, points),
        penalties=adjusted.penalties or no_penalties,
    )
