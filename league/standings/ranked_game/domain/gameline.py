"""A game as a line of a list, and its place in the order of play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Generic, TypedDict, TypeVar

from engine.scoring.natural import natural
from league.standings.ranked_game.domain.game import UNTIMED, Place

Row = TypeVar("Row")
LINE = (
    "game__public_id",
    "game__external_id",
    "game__played_at",
    "game__event",
    "event_name",
    "game__table",
    "over",
    "game__season_game__season__name",
    "ranking__club__timezone",
    "game__revision",
    "only_end",
    "voided",
    "provisional",
    "seats",
)


class SeatLine(TypedDict):
    """A seat in a list of games; `rank` and `points` are None while the game isn't over. `penalty`:
    the points that an arbiter takes off, which `points` don't lack. `counts_for`: the player in
    whose row of the ranking it counts, by the public id; None for a guest."""

    player: str
    handle: str
    name: str
    rank: int | None
    points: int | None
    penalty: int
    counts_for: str | None
    counts_for_handle: str | None
    counts_for_name: str | None


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in a list. `seats`: best first, and as they sat while it isn't over. `only_end`:
    nothing else is known. `voided`: it counts for nothing, and isn't held to be over.
    `provisional`: a seat objects to the result, which counts.

    `event` is the word by which the record names the event, and `event_name` what people call it.

    `bids`: those of the round that went farthest along the track; empty where the list doesn't ask
    for them, or nobody wrote them down."""

    game: str
    external_id: str
    played_at: datetime | None
    event: str
    event_name: str
    table: str
    over: bool
    season_name: str
    timezone: str
    revision: int
    only_end: bool
    voided: bool
    provisional: bool
    seats: list[SeatLine]
    bids: tuple[int, ...] = ()

    @property
    def corrected(self) -> bool:
        """True if this is a correction of what was entered first."""
        return self.revision > 1

    @property
    def others(self) -> list[str]:
        """The names of those who did not win, best first; all names while the game isn't over."""
        return [seat["name"] for seat in self.seats if seat["rank"] != 1]

    @property
    def place(self) -> str:
        """Tell where the game stands in a list of games, as addresses say it."""
        return place_of(self.played_at, self.external_id)

    @classmethod
    def of(cls, line: Sequence[Any]) -> GameLine:
        """The game that a row of the columns `LINE` tells."""
        game = cls(*line)
        return replace(game, seats=sorted(game.seats, key=lambda seat: seat["rank"] or 0))


@dataclass(frozen=True, slots=True)
class GamePage(Generic[Row]):
    """A page of a list of games.

    `older` and `newer`: where the pages beside it begin (`place_of`); empty where there are none.
    """

    games: list[Row]
    older: str
    newer: str


def place_of(played_at: datetime | None, external_id: str) -> str:
    """Tell where a game stands in a list of games, as addresses say it."""
    at = "" if played_at is None else played_at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return f"{at}~{external_id}"


def place_read(text: str) -> Place | None:
    """The place that `place_of` told; None for any other text."""
    at, sign, name = text.partition("~")
    try:
        played_at = datetime.fromisoformat(at) if at else UNTIMED
    except ValueError:
        return None
    return (played_at, natural(name)) if sign and played_at.tzinfo and name.isprintable() else None
