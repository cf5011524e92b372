"""All that a game brings, replayed from its sealed rounds through the engine: nothing of it is ever
stored as a fact."""

from __future__ import annotations

from dataclasses import dataclass

from engine.record.stored import replay_stored
from engine.scoring.points import Scoring, game_points
from league.standings.ranked_game.domain.game import GameFacts


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The way in which a game of a ranking ended, in seat order, in the order that an arbiter has
    set if there is one; `rank` and `points` are None for each seat while it isn't over.
    `penalties`: the points that each seat loses, which `points` don't lack."""

    over: bool
    rank: tuple[int | None, ...]
    points: tuple[int | None, ...]
    penalties: tuple[int, ...]

    @property
    def by_seat(self) -> tuple[tuple[int | None, ...], tuple[int | None, ...], tuple[int, ...]]:
        """Ranks, points and penalties, in seat order."""
        return self.rank, self.points, self.penalties


class Unreadable(Exception):
    """The sealed rounds of a game are none that the engine can replay: somebody has changed
    them."""


def game_outcome(facts: GameFacts, scoring: Scoring) -> GameOutcome:
    """Return what a game brings each seat by a ranking's scoring: nothing while it is void, or if
    only its end is known and not its points by that scoring. Rulings B12, B13, K13. Raises
    `Unreadable`."""
    if None in facts.players:
        raise Unreadable(f"{facts.external_id}: a handle finds no player")
    nothing = (None,) * len(facts.handles)
    unfined = (0,) * len(facts.handles)
    if facts.voided:
        return GameOutcome(False, nothing, nothing, unfined)
    verdict = replay_stored(facts.header, facts.handles, facts.bodies)
    if verdict.error is not None:
        raise Unreadable(f"{facts.external_id}: {verdict.error.message}")
    if not verdict.over:
        return GameOutcome(False, nothing, nothing, unfined)
    points = game_points(scoring, verdict.ending)
    if points is None and facts.only_end:
        return GameOutcome(False, nothing, nothing, unfined)
    if verdict.rank is None or points is None:
        raise Unreadable(f"{facts.external_id} has no points by {scoring}")
    adjusted = facts.adjustments
    ranks = adjusted.ranks(verdict.rank)
    return GameOutcome(
        True, ranks, adjusted.points(scoring, verdict.rank, points), adjusted.penalties or unfined
    )
