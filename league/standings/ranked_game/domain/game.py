"""A sealed game as rankings count it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from engine.record.outcome import is_outcome
from engine.scoring.natural import natural
from league.standings.adjustment.domain import Adjustments

# Where a game without a time stands in the order of play: after all that have one.
UNTIMED: Final = datetime(9999, 1, 1, tzinfo=UTC)
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECONDS: Final = "(extract(epoch FROM {}) * 1000000)::bigint"
"""How the database sends times in bulk: parsing hundreds of thousands of them from text would take
as long as replaying the games."""
Place = tuple[datetime, str]
"""A place in the order of play: the time, and the record's id as `engine.scoring.natural` writes
it."""


def instant(microseconds: int) -> datetime:
    """Return the time that the database sent as `MICROSECONDS`."""
    return EPOCH + timedelta(microseconds=microseconds)


class GameFacts(NamedTuple):
    """A game as it was sealed. `players` are those whom the handles name now, in seat order; None
    if a handle names nobody.

    `counts_for`: for each seat the player whose row it counts in, None for nobody; without a
    ranking, the players who sat there. `position` and `action`: of the entry in the club's log; 0
    and empty if no entry was read. `replaces`: the game it corrects. `replaced`: whether a
    correction replaces it. `adjustments`: what arbiters have adjusted. `voided`: whether it is
    void; `voided_before`: whether it was when the ranking counted it, None if the ranking doesn't
    hold it."""

    played_at: datetime | None
    position: int
    action: str
    game_id: int
    kind: str
    header: str
    external_id: str
    event: str
    replaces: int | None
    replaced: bool
    voided: bool
    adjustments: Adjustments
    voided_before: bool | None
    bodies: list[bytes]
    handles: list[str]
    seals: list[bytes]
    players: list[int | None]
    counts_for: Sequence[int | None]

    @property
    def only_end(self) -> bool:
        """Return True if no rounds are recorded, only the final ranks."""
        return is_outcome(self.bodies)

    @property
    def place(self) -> Place:
        """Return the game's place in the order of play."""
        return self.played_at or UNTIMED, natural(self.external_id)


@dataclass(frozen=True, slots=True)
class GameBatch:
    """Games that a reader takes at once, and the position in the log that they take it to.

    `done`: nothing was left after them when the log was read."""

    games: list[GameFacts]
    position: int
    done: bool
