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
    """A seat in a list of games; `rank` and `points` are None until the game is over. `penalty`:
    the points that an arbiter takes off; `points` still include them. `counts_for`: the public id
    of the player whose row the seat counts in; None for a guest's."""

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
    """A game in a list. `seats`: best first; in seat order until the game is over. `only_end`: its
    record has no rounds. `voided`: it counts for nothing, and isn't `over`. `provisional`: a seat
    objects to the result, which still counts.

    `event` is the word by which the record names the event, and `event_name` the event's name.

    `bids`: those of the round that went farthest along the track; empty if the list doesn't ask for
    them, or the record lacks them."""

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
        """Return True if the game is a correction of an earlier entry."""
        return self.revision > 1

    @property
    def others(self) -> list[str]:
        """Return the names of players who did not win, best first; all names until the game is
        over."""
        return [seat["name"] for seat in self.seats if seat["rank"] != 1]

    @property
    def place(self) -> str:
        """Return the game's place in a list of games, as addresses write it."""
        return place_of(self.played_at, self.external_id)

    @classmethod
    def of(cls, line: Sequence[Any]) -> GameLine:
        """Return the game in a row of the columns `LINE`."""
        game = cls(*line)
        return replace(game, seats=sorted(game.seats, key=lambda seat: seat["rank"] or 0))


@dataclass(frozen=True, slots=True)
class GamePage(Generic[Row]):
    """A page of a list of games.

    `older` and `newer`: the places in the list (`place_of`) next to which the pages of older and
    newer games begin; empty if there is no such page."""

    games: list[Row]
    older: str
    newer: str


def place_of(played_at: datetime | None, external_id: str) -> str:
    """Return a game's place in a list of games, as addresses write it."""
    time = ""
    if played_at is not None:
        time = played_at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return f"{time}~{external_id}"


def place_read(text: str) -> Place | None:
    """Return the place that `place_of` wrote; None for any other text."""
    time, separator, external_id = text.partition("~")
    try:
        played_at = datetime.fromisoformat(time) if time else UNTIMED
    except ValueError:
        return None
    if not separator or not played_at.tzinfo or not external_id.isprintable():
        return None
    return played_at, natural(external_id)
