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
from engine.record.bluff import facts
from engine.record.stored import unpack_record
from games.models import Round
from games.models.game import Kind
from league.rankings.models import Appearance, Season, SeasonGame

LINE = (
    "game_id", "external_id", "game__played_at", "game__event", "game__table", "game__over",
    "season__slug", "season__name", "season__club__timezone", "seats",
)  # fmt: skip
SEATS = ArraySubquery(
    Appearance.objects.filter(season_game=OuterRef("pk"))
    .order_by("seat__number")
    .values(
        line=JSONObject(player="player_id", handle="player__handle", name="player__name", rank="rank", points="points")
    )
)
BODIES = ArraySubquery(Round.objects.filter(game=OuterRef("game_id")).order_by("number").values("body"))


class SeatLine(TypedDict):
    """A seat in a list of games; `rank` and `points` are None while the game isn't over."""

    player: int
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

    game_id: int
    external_id: str
    played_at: datetime | None
    event: str
    table: str
    over: bool
    season_slug: str
    season_name: str
    timezone: str
    seats: list[SeatLine]
    bids: tuple[int, ...] = ()

    @property
    def others(self) -> list[str]:
        """The names of those who did not win, best first; all names while the game isn't over."""
        return [seat["name"] for seat in self.seats if seat["rank"] != 1]

    @classmethod
    def of(cls, line: Sequence[Any]) -> GameLine:
        """The game that a row of the columns `LINE` tells."""
        game = cls(*line)
        return replace(game, seats=sorted(game.seats, key=lambda seat: seat["rank"] or 0))


def listed_games(seasons: QuerySet[Season] | Iterable[Season]) -> QuerySet[SeasonGame]:
    """The games of some seasons that no correction replaces, the latest first, those without a time last."""
    return SeasonGame.objects.filter(season__in=seasons, game__replaced_by=None).order_by(
        F("game__played_at").desc(nulls_last=True), "-external_id"
    )


def line_rows(games: QuerySet[SeasonGame]) -> QuerySet[SeasonGame, tuple[Any, ...]]:
    """The games as rows that `GameLine.of` reads, in the same order: pages of a list count and cut them."""
    return games.annotate(seats=SEATS).values_list(*LINE)


def latest_games(seasons: Iterable[Season], count: int) -> list[GameLine]:
    """The latest counted games of some seasons, with the boldest round of each."""
    games = listed_games(seasons).filter(counted=True).annotate(seats=SEATS, bodies=BODIES)[:count]
    lines = []
    for *line, kind, header, bodies in games.values_list(*LINE, "game__kind", "game__header", "bodies"):
        bids = _boldest(header, bodies) if kind == Kind.BLUFF else ()
        lines.append(replace(GameLine.of(line), bids=bids))
    return lines


def _boldest(header: str, bodies: Iterable[bytes]) -> tuple[int, ...]:
    """The bids of the round whose last bid lies farthest along the track (ruling B4); none if nobody told any."""
    boldest: tuple[int, ...] = ()
    for told in facts(unpack_record(header, [bytes(body) for body in bodies])):
        bids = tuple([move if isinstance(move, int) else move.bid for move in told.moves if move != CHALLENGE])
        if bids and (not boldest or bids[-1] > boldest[-1]):
            boldest = bids
    return boldest
