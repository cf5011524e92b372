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
    "ranking__season__slug", "ranking__season__name", "ranking__club__timezone", "seats",
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
    seats: list[SeatLine]
    bids: tuple[int, ...] = ()

    @classmethod
    def of(cls, line: Sequence[Any]) -> GameLine:
        """The game that a row of the columns `LINE` tells."""
        game = cls(*line)
        return replace(game, seats=sorted(game.seats, key=lambda seat: seat["rank"] or 0))


def listed_games(seasons: QuerySet[Season] | Iterable[Season]) -> QuerySet[RankedGame]:
    """The games in the rankings of some seasons, the latest first, those without a time last."""
    return RankedGame.objects.filter(ranking__season__in=seasons).order_by(
        F("game__played_at").desc(nulls_last=True), "-external_id"
    )


def line_rows(games: QuerySet[RankedGame]) -> QuerySet[RankedGame, tuple[Any, ...]]:
    """The games as rows that `GameLine.of` reads, in the same order: pages of a list count and cut them."""
    return games.annotate(seats=SEATS).values_list(*LINE)


def latest_games(seasons: Iterable[Season], count: int) -> list[GameLine]:
    """The latest games of some seasons that are over, with the boldest round of each."""
    games = listed_games(seasons).filter(over=True).annotate(seats=SEATS, bodies=BODIES)[:count]
    lines = []
    told = ("game__kind", "game__header", "bodies")
    for *line, kind, header, bodies in games.values_list(*LINE, *told):
        handles = [seat["handle"] for seat in line[-1]]
        bids = _boldest(header, handles, bodies) if kind == Kind.BLUFF else ()
        lines.append(replace(GameLine.of(line), bids=bids))
    return lines


def _boldest(header: str, handles: Sequence[str], bodies: Iterable[bytes]) -> tuple[int, ...]:
    """The bids of the round whose last bid lies farthest along the track (ruling B4); none if nobody told any."""
    boldest: tuple[int, ...] = ()
    _, rounds = begin(unpack_record(header, handles, None, [bytes(body) for body in bodies]), BLUFF)
    for told in rounds:
        bids = tuple([move if isinstance(move, int) else move.bid for move in told.moves if move != CHALLENGE])
        if bids and (not boldest or bids[-1] > boldest[-1]):
            boldest = bids
    return boldest
