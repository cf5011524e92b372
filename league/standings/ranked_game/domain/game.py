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
"""A time as the database sends it where there are many: reading hundreds of thousands of instants
from text takes as long as replaying the games."""
Place = tuple[datetime, str]
"""A place in the order of play: the time, and the record's id as `engine.scoring.natural` writes
it."""


def instant(microseconds: int) -> datetime:
    """The time that the database sends as `MICROSECONDS`."""
    return EPOCH + timedelta(microseconds=microseconds)


class GameFacts(NamedTuple):
    """A game as it was sealed. `players` are those whom the handles find now, in seat order; None
    for nobody.

    `counts_for`: of each seat the player in whose row the ranking counts it, None for nobody; where
    no ranking was asked, those who sat there. `position`: of the entry in the club's log that tells
    of it, and `action` what it tells: empty where no entry was read. `replaces`: the game it
    corrects. `replaced`: whether a correction replaces it. `adjustments`: what arbiters have
    adjusted in it. `voided`: whether it is void; `voided_before`: whether it was when the ranking
    counted it, None where it hasn't."""

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
        """True if no round is recorded, only who finished where."""
        return is_outcome(self.bodies)

    @property
    def place(self) -> Place:
        """Tell where the game stands in the order of play."""
        return self.played_at or UNTIMED, natural(self.external_id)


@dataclass(frozen=True, slots=True)
class GameBatch:
    """All that a reader takes at once: games, and the position in the log that it has come to with
    them.

    `done`: nothing is left behind it, as far as the log went when it was asked for.
    """

    games: list[GameFacts]
    position: int
    done: bool
