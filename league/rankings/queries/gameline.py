"""Games as lists show them: when and where, who sat there, and how it ended. One query a list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypedDict

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, OuterRef, QuerySet
from django.db.models.functions import JSONObject

from engine.bluff.move import CHALLENGE
from engine.record.bluff.kind import BLUFF
from engine.record.record import begin
from engine.record.stored import unpack_record
from games.models import Round
from games.models.game import Kind
from league.rankings.models import Appearance, RankedGame, Season

LINE = (
    "game__public_id", "external_id", "game__played_at", "game__event", "game__table", "over",
    "game__season_game__season__slug", "game__season_game__season__name", "ranking__club__timezone", "game__revision",
    "seats",
)  # fmt: skip
SEATS = ArraySubquery(
    Appearance.objects.filter(ranking=OuterRef("ranking"), game=OuterRef("game"))
    .order_by("seat")
    .values(
        line=JSONObject(
            player="player__public_id", handle="player__handle", name="player__name", rank="rank", points="points"
        )
    )
)
BODIES = ArraySubquery(Round.objects.filter(game=OuterRef("game_id")).order_by("number").values("body"))


class SeatLine(TypedDict):
    """A seat in a list of games; `rank` and `points` are None while the game isn't over."""

    player: str
    handle: str
    name: str
    rank: int | None
    points: int | None


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in a list. `seats`: best first, and as they sat while it isn't over.

    `bids`: those of the round that went farthest along the track; empty where the list doesn't ask for them, or
    nobody wrote them down.
    """

    game: str
    external_id: str
    played_at: datetime | None
    event: str
    table: str
    over: bool
    season_slug: str
    season_name: str
    timezone: str
    revision: int
    seats: list[SeatLine]
    bids: tuple[int, ...] = ()

    @property
    def corrected(self) -> bool:
        """Whether this is a correction of what was entered first."""
        return self.revision > 1

    @property
    def others(self) -> list[str]:
        """The names of those who did not win, best first; all names while the game isn't over."""
        return [seat["name"] for seat in self.seats if seat["rank"] != 1]

    @classmethod
    def of(cls, line: Sequence[Any]) -> GameLine:
        """The game that a row of the columns `LINE` tells."""
        game = cls(*line)
        return replace(game, seats=sorted(game.seats, key=lambda seat: seat["rank"] or 0))


def listed_games(seasons: QuerySet[Season] | Iterable[Season]) -> QuerySet[RankedGame]:
    """The games in the rankings of some seasons, the latest first, those without a time last."""
    return latest_first(RankedGame.objects.filter(ranking__season__in=seasons))


def latest_first(games: QuerySet[RankedGame]) -> QuerySet[RankedGame]:
    """The games with the latest first, those without a time last."""
    return games.order_by(F("game__played_at").desc(nulls_last=True), "-external_id")


def line_rows(games: QuerySet[RankedGame]) -> QuerySet[RankedGame, tuple[Any, ...]]:
    """The games as rows that `GameLine.of` reads, in the same order: pages of a list count and cut them."""
    return games.annotate(seats=SEATS).values_list(*LINE)


def latest_games(games: QuerySet[RankedGame], count: int) -> list[GameLine]:
    """The first of these games that are over, with the boldest round of each."""
    shown = games.filter(over=True).annotate(seats=SEATS, bodies=BODIES)[:count]
    lines = []
    for *line, kind, header, bodies in shown.values_list(*LINE, "game__kind", "game__header", "bodies"):
        game = GameLine.of(line)
        lines.append(replace(game, bids=_boldest(game, header, bodies) if kind == Kind.BLUFF else ()))
    return lines


def _boldest(game: GameLine, header: str, bodies: Iterable[bytes]) -> tuple[int, ...]:
    """The bids of the round whose last bid lies farthest along the track (ruling B4); none if none is recorded."""
    boldest: tuple[int, ...] = ()
    seats = [str(number) for number in range(len(game.seats))]  # who sat there doesn't matter
    _, rounds = begin(unpack_record(header, seats, None, [bytes(body) for body in bodies]), BLUFF)
    for round_ in rounds:
        bids = tuple([move if isinstance(move, int) else move.bid for move in round_.moves if move != CHALLENGE])
        if bids and (not boldest or bids[-1] > boldest[-1]):
            boldest = bids
    return boldest
