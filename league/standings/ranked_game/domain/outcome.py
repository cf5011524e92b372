"""All that a game brings, replayed from its sealed rounds through the engine: nothing of it is ever stored as a
fact."""

from __future__ import annotations

from dataclasses import dataclass

from engine.record.stored import replay_stored
from engine.scoring.points import Scoring, game_points
from league.standings.ranked_game.domain.game import GameFacts


@dataclass(frozen=True, slots=True)
class Brought:
    """The way in which a game of a ranking ended, in seat order; `rank` and `points` are None for each seat while it
    isn't over."""

    over: bool
    rank: tuple[int | None, ...]
    points: tuple[int | None, ...]

    @property
    def by_seat(self) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
        """Ranks and points, in seat order."""
        return self.rank, self.points


class Unreadable(Exception):
    """The sealed rounds of a game are none that the engine can replay: somebody has changed them."""


def brought_home(facts: GameFacts, scoring: Scoring) -> Brought:
    """Return what a game brings each seat by a ranking's scoring: nothing while it is void, or if only its end is known
    and not its points by that scoring. Rulings B12, B13, K13. Raises `Unreadable`."""
    if None in facts.players:
        raise Unreadable(f"{facts.external_id}: a handle finds no player")
    nothing = (None,) * len(facts.handles)
    if facts.voided:
        return Brought(False, nothing, nothing)
    verdict = replay_stored(facts.header, facts.handles, facts.bodies)
    if verdict.error is not None:
        raise Unreadable(f"{facts.external_id}: {verdict.error.message}")
    if not verdict.over:
        return Brought(False, nothing, nothing)
    points = game_points(scoring, verdict.ending)
    if points is None and facts.only_end:
        return Brought(False, nothing, nothing)
    if verdict.rank is None or points is None:
        raise Unreadable(f"{facts.external_id} has no points by {scoring}")
    return Brought(True, verdict.rank, points)
