"""The input of a draw: the players to be seated, and the rounds before."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

TableIds: TypeAlias = tuple[str, ...]
"""The ids of those at one table, in seat order: the first one opens."""
Floating: TypeAlias = Literal["up", "down"]
"""What somebody does at a table: up to others who all have more points, down to others who all have
fewer."""
Strictness: TypeAlias = Literal["wish", "must"]
"""How strictly those of one label are kept apart: if it can be avoided, or always."""


@dataclass(frozen=True, slots=True)
class Participant:
    """Somebody to be seated. `score` is a whole number, more is better.

    `byes` and `short` count the rounds before in which there was no table, or one smaller than the
    wanted size; `seats` those in each seat, the first seat first; `floats` is what the last round
    did, None if it did neither. `label`: the number of the club or town; 0 for none. `unknown`: the
    games before whose points weren't known, so that `score` lacks them."""

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
    """Two who should not meet; `must` makes a wish a rule."""

    first: str
    second: str
    must: bool = False


@dataclass(frozen=True, slots=True)
class DrawInput:
    """One draw's input, as the draw file has it.

    `sizes`: those that a table may have, the wanted one first. `rounds`: how many the stage plans
    in all, this one included; None looks at this one only. `played`: the rounds before, each a list
    of tables. `bye`: whether somebody may sit out where no mix of sizes fits. `design`: the seed of
    the first round, by whose lots everybody has the same number in a design in all rounds; None
    where that is `seed`. `chairs`: the players in the order of these numbers once some have come or
    gone, the last to have had each number; empty where the lots give the numbers. `labels`: how
    strictly those of one label are kept apart; None: not at all. `meetings_first`: whether meeting
    nobody again counts more than taking turns at tables smaller than wanted."""

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
        """True if some had better not meet, whoever they met before."""
        return bool(self.apart or self.labels)
