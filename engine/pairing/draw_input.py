"""The input of a draw: the players to be seated, and the rounds before."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

TableIds: TypeAlias = tuple[str, ...]
"""The ids of a table's players, in seat order: the first one opens."""
Floating: TypeAlias = Literal["up", "down"]
"""How a player floats: up, to a table where all others have more points, or down, where all have
fewer."""
Strictness: TypeAlias = Literal["wish", "must"]
"""How strictly players with the same label are kept apart: if it can be avoided, or always."""


@dataclass(frozen=True, slots=True)
class Participant:
    """A player to be seated. `score` is a whole number; more is better.

    `byes` and `short` count the earlier rounds in which the player had no table, or one smaller
    than the wanted size; `seats` the earlier rounds in each seat, the first seat first. `floats` is
    how the player floated in the last round, None if not at all. `label`: the number of a club or
    town; 0 for none. `unknown`: how many earlier games have no known points and are missing from
    `score`.
    """

    player_id: str
    score: int = 0
    byes: int = 0
    short: int = 0
    seats: tuple[int, ...] = ()
    floats: Floating | None = None
    label: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class Apart:
    """Two players who should not meet; with `must` they may not."""

    first: str
    second: str
    must: bool = False


@dataclass(frozen=True, slots=True)
class DrawInput:
    """The input of one draw, as the draw file has it.

    `sizes`: the sizes that a table may have, the wanted one first. `rounds`: how many the stage
    plans in all, including this one; None considers only this one. `played`: the rounds before,
    each a list of tables. `bye`: whether players may sit out if no mix of sizes fits.

    `design`: the seed of the first round, whose lots number the players of a design for all rounds;
    None where that is `seed`. `chairs`: the players in the order of these numbers once some have
    come or gone, each number with the last player who had it; empty where the lots give the
    numbers. `labels`: how strictly players with the same label are kept apart; None: not at all.
    `meetings_first`: whether avoiding repeated meetings counts more than taking turns at tables
    smaller than wanted.
    """

    sizes: tuple[int, ...]
    seed: str
    participants: tuple[Participant, ...]
    rounds: int | None = None
    played: tuple[tuple[TableIds, ...], ...] = ()
    apart: tuple[Apart, ...] = field(default=())
    bye: bool = False
    design: str | None = None
    chairs: TableIds = ()
    labels: Strictness | None = None
    meetings_first: bool = False

    @property
    def keeps_apart(self) -> bool:
        """Return True if some players should not meet, regardless of earlier rounds."""
        return bool(self.apart or self.labels)
